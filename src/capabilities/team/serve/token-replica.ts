import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { manifestId } from "../../../core/replica/blocks.ts";
import type { Blocks, Generation, Manifest, Registry, Replica } from "../../../core/replica/replica.ts";
import { readingLease } from "../../../core/replica/replica.ts";
import type { AccessBook, ServedProject, TokenRow } from "../access/access-book.ts";
import type { AuditBuffer } from "../access/audit-buffer.ts";
import { unknownName } from "../access/tokens.ts";
import type { TeamDatabase } from "../database/team-database.ts";
import { projectKey } from "../projects/project-key.ts";
import type { BlockSets } from "./block-sets.ts";

interface TokenReplicaParts {
  readonly replica: Replica;
  readonly database: TeamDatabase;
  readonly book: AccessBook;
  readonly audit: AuditBuffer;
  readonly blockSets: BlockSets;
  /** The kind of index that servers read. */
  readonly kind: string;
  now(): Date;
}
interface TokenReplicaCaller {
  readonly token: TokenRow;
  /** The ids of the manifests whose blocks the caller is about: it has seen them before. */
  readonly manifests: readonly string[];
}
const MAX_LEASE_MS = 300_000;
const Named = z.object({ manifest: z.string() });
const Sent = z.object({ hash: z.instanceof(Buffer) });
const bytesOf = (hashes: readonly string[]) => hashes.map((hash) => Buffer.from(hash, "hex"));

/**
 * The team's store as one token may see it. A block is told of only to those who may read a manifest that names it, or who
 * have sent it: knowing a hash is no right to the bytes, and whether another project has the same bytes is nobody's business.
 */
export function tokenReplica(parts: TokenReplicaParts, { token, manifests }: TokenReplicaCaller): Replica {
  const { replica, database, book, blockSets } = parts;
  const readable = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const keys = book.list(token.id, "read").map((project) => projectKey(project.id));
    // A row that the token may not see is not sent: reading it would take time.
    const text = "SELECT manifest FROM contextful.generations WHERE manifest = ANY($1) AND project = ANY($2)";
    return new Set((await database.rows(Named, text, [ids, keys])).map(({ manifest }) => manifest));
  };
  const known = async (hashes: readonly string[]) => blockSets.within(await readable(manifests), hashes);
  const sent = async (hashes: readonly string[]): Promise<readonly string[]> => {
    const text = "SELECT hash FROM contextful_team.uploads WHERE token = $1 AND hash = ANY($2::bytea[])";
    const rows = await database.rows(Sent, text, [token.id, bytesOf(hashes)]);
    return rows.map(({ hash }) => hash.toString("hex"));
  };
  const knownOrSent = async (hashes: readonly string[]) =>
    new Set([...(await known(hashes)), ...(await sent(hashes))]);
  const blocks: Blocks = {
    has: async (hashes) => replica.blocks.has([...(await knownOrSent(hashes))]),
    async put(packed) {
      if (book.list(token.id, "publish").length === 0) throw mayNotPublish(parts, token, "");
      await replica.blocks.put(packed);
      const text = `INSERT INTO contextful_team.uploads (token, hash) SELECT $1, unnest($2::bytea[])
                    ON CONFLICT (token, hash) DO UPDATE SET sent_at = now()`;
      await database.rows(z.unknown(), text, [token.id, bytesOf([...packed.keys()])]);
    },
    get: async (hashes) => replica.blocks.get([...(await known(hashes))]),
  };
  const registry: Registry = {
    async generations(repository, kind) {
      const own = book.list(token.id, "read").filter((project) => project.repository === repository);
      const found = await Promise.all(
        own.map(({ id }) => replica.registry.generations(projectKey(id), kind)),
      );
      const newestFirst = found.flat().sort((a, b) => (a.published_at < b.published_at ? 1 : -1));
      return newestFirst.map((generation) => ({ ...generation, project: repository }));
    },
    manifest: async (id) => ((await readable([id])).has(id) ? replica.registry.manifest(id) : undefined),
    async publish(generation, manifest) {
      const project = publishedProject(parts, token, generation);
      await requireRepository(database, project.id, generation.project);
      if (manifestId(manifest) !== generation.manifest) throw wrongManifest();
      const named = [...new Set(manifest.blocks)];
      if ((await knownOrSent(named)).size < named.length) return false;
      return publish(parts, { generation, manifest, project, token });
    },
    async lease(name, ttlMs) {
      const id = name.split("-")[1] ?? "";
      if (!name.startsWith(readingLease(id)) || !(await readable([id])).has(id)) throw notForTokens();
      return replica.registry.lease(name, Math.min(ttlMs, MAX_LEASE_MS));
    },
    // Only its holder knows its name: it goes on if the generation is retired meanwhile.
    leaseOf: (held) => replica.registry.leaseOf({ ...held, ttlMs: Math.min(held.ttlMs, MAX_LEASE_MS) }),
  };
  return { blocks, registry, [Symbol.asyncDispose]: async () => {} };
}

interface TokenPublication {
  readonly generation: Generation;
  readonly manifest: Manifest;
  readonly project: ServedProject;
  readonly token: TokenRow;
}

/** Only under the key of the project: what clones find by a repository in the whole store is what workers have fetched. */
async function publish(
  { replica, database, kind, now }: TokenReplicaParts,
  { generation, manifest, project, token }: TokenPublication,
): Promise<boolean> {
  const published_at = now().toISOString();
  const own = { ...generation, project: projectKey(project.id), name: project.name, published_at };
  if (!(await replica.registry.publish(own, manifest))) return false;
  const target = `${project.name} ${generation.commit} ${generation.kind}`;
  await database.change({ actor: token.name, action: "publish", target, outcome: "done" }, async (sql) => {
    // Another version of the program may not read what servers read.
    if (generation.kind === kind)
      await sql(
        z.unknown(),
        "UPDATE contextful_team.projects SET repository = $2, kind = $3, commit = $4, published_at = $5 WHERE id = $1",
        [project.id, generation.project, kind, generation.commit, published_at],
      );
    await sql(
      z.unknown(),
      "DELETE FROM contextful_team.uploads WHERE token = $1 AND hash = ANY($2::bytea[])",
      [token.id, bytesOf(manifest.blocks)],
    );
  });
  return true;
}

/** The project of this name, or the only one of this repository, or the only one at all. */
function publishedProject(
  parts: TokenReplicaParts,
  token: TokenRow,
  { name, project: repository }: Generation,
): ServedProject {
  const all = parts.book.list(token.id, "publish");
  const named = all.filter((project) => project.name === name);
  const same = all.filter((project) => project.repository === repository);
  const [chosen] = [named, same, all].find((some) => some.length === 1) ?? [];
  if (chosen) return chosen;
  throw mayNotPublish(parts, token, name);
}

function mayNotPublish({ audit, book }: TokenReplicaParts, token: TokenRow, name: string): DomainError {
  audit.denied({ actor: token.name, action: "publish", target: name });
  if (book.list(token.id, "publish").length > 0)
    return unknownName("project", name.slice(0, 200), "Give --name: a project that you may publish.");
  return new DomainError(
    "not_found",
    "This access token may not publish. Ask for: team grant NAME publish.",
    {
      reason: "not_granted",
    },
  );
}

const wrongManifest = () =>
  new DomainError("invalid_input", "The manifest does not have the id that the generation names.", {
    reason: "wire",
  });
/** Otherwise clones of that repository would start from what this publisher says. */
async function requireRepository(database: TeamDatabase, id: string, repository: string): Promise<void> {
  const text = "SELECT FROM contextful_team.projects WHERE id = $1 AND repository <> $2";
  if ((await database.rows(z.unknown(), text, [id, repository])).length === 0) return;
  throw new DomainError("conflict", "This project is of another repository.", { reason: "other_repository" });
}
const notForTokens = () => new DomainError("not_found", "A team's server has no such call.");
