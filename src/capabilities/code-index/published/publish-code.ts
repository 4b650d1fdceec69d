import { basename, join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { askGit } from "../../../core/git/git.ts";
import type { Machine } from "../../../core/machine.ts";
import { openReplica } from "../../../core/replica/open-replica.ts";
import { allEnded, type PublishedFile, publishFile } from "../../../core/replica/publish.ts";
import type { PublishedCommit, Replica } from "../../../core/replica/replica.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { copyDatabase } from "../../../core/store/copy-database.ts";
import { sqliteDriver } from "../../../core/store/sqlite-driver.ts";
import type { Call } from "../../../core/tool.ts";
import { type GitOrigin, readGitOrigin, repositoryId } from "../base/git-origin.ts";
import { type CodeStore, openCurrentFormat, readMetadata } from "../store/code-store.ts";
import { currentIndexFile, removeDatabase } from "../store/generations.ts";
import { requireIndex } from "../store/open-indexes.ts";
import type { CodeProject } from "../store/project.ts";
import { lockProject } from "../store/run-lock.ts";
import { CODE_KIND } from "../store/tables.ts";
import { embedProject } from "../watch/embed.ts";

const COPY = "code-publish.sqlite";
const LOCK_WAIT_MS = 60_000;
/** Merged segments have twice as many. */
const CHUNKS_PER_SEGMENT = 4_000;
/**
 * Removes what is true only where the index was made, also from places that are no longer used: `facts` is written anew.
 * The copy is thrown away if this fails, so it needs no journal and need not reach the disk.
 */
const WITHOUT_PLACE = `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;
UPDATE files SET ctime_ms = 0 WHERE ctime_ms <> 0;
DELETE FROM left_out;
CREATE TEMP TABLE kept AS SELECT * FROM facts WHERE name NOT IN ('root', 'tree_state');
DELETE FROM facts;
INSERT INTO facts SELECT * FROM kept ORDER BY name`;

export interface CodePublication {
  /** Reads every stored block and replaces those that are damaged. */
  readonly repair?: boolean;
  /** Waits until the better model has embedded everything. */
  readonly wait?: boolean;
  /** What people call the project; default: the name of its remote, or of its directory. */
  readonly name?: string | undefined;
  /** Publishes what else servers read of the commit. It comes first: a server looks for it when it sees the code. */
  beside?(about: PublishedCommit): Promise<void> | undefined;
}
type PublishingCall = Pick<Call, "signal" | "progress">;
interface PublishedClone {
  readonly root: string;
  readonly replica: Replica;
  readonly about: PublishedCommit;
  /** Reads every stored block and replaces those that are damaged. */
  readonly isRepair: boolean;
}
/** Publishes the files and documents of a clone's commit. */
export type PublishClone = (clone: PublishedClone, call: PublishingCall) => Promise<void>;
interface PublishingContext {
  readonly embeddings: Embeddings;
  /** The store that is meant if none is named. */
  readonly teamUrl: string | undefined;
  readonly env: Machine["env"];
  readonly now: Machine["now"];
  readonly publishClone: PublishClone | undefined;
  useProject(path: string): Promise<CodeProject>;
  /** Brings the index up to date with a commit; `force` makes it anew. */
  index(project: CodeProject, force: boolean, call: PublishingCall): Promise<unknown>;
}
export type Publishing = ReturnType<typeof openPublishing>;

/** Publishes the index of a clean work tree as the index of its commit. */
export function openPublishing(context: PublishingContext) {
  const publish = async (
    path: string,
    replica: Replica,
    publication: CodePublication,
    call: PublishingCall,
  ): Promise<PublishedFile> => {
    const { signal } = call;
    const project = await context.useProject(path);
    const origin = await requireClean(project.root, signal);
    if (origin.isShallow) throw shallow();
    // Git walks through the whole history meanwhile.
    const [repository] = await Promise.all([
      repositoryId(project.root, origin, signal),
      context.index(project, false, call),
    ]);
    if (repository === undefined) throw shallow();
    if (!(await hasOnlyCommits(project, context))) await context.index(project, true, call);
    if (publication.wait) await embedProject(project, context.embeddings, call);
    const copy = join(project.directory, COPY);
    // Another program may publish the same index at the same time.
    using _lock = await lockProject(project, LOCK_WAIT_MS);
    try {
      const isFirst = (await replica.registry.generations(repository, CODE_KIND)).length === 0;
      const [{ commit }] = await allEnded(
        requireClean(project.root, signal),
        copyIndex(project, context, { copy, isFirst }),
      );
      // The index has seen this commit and nothing else.
      if (commit !== origin.commit) throw moved();
      const about = {
        project: repository,
        name: publication.name ?? (await projectName(project.root, signal)),
        commit,
        published_at: context.now().toISOString(),
      };
      const isRepair = publication.repair ?? false;
      const after = publication.beside?.(about);
      const [published] = await allEnded(
        publishFile(copy, { ...about, kind: CODE_KIND }, replica, { isRepair, after, signal }),
        after,
      );
      return published;
    } finally {
      removeDatabase(copy);
    }
  };
  return {
    publish,
    /** Publishes to a store by its address. */
    async publishTo(
      path: string,
      { to = context.teamUrl, ...publication }: CodePublication & { readonly to?: string | undefined },
      call: PublishingCall,
    ): Promise<PublishedFile> {
      if (to === undefined) throw noTeam();
      await using replica = await openReplica(to, context.env);
      const { publishClone } = context;
      const isServer = /^https?:/.test(to);
      const beside = (about: PublishedCommit) =>
        publishClone?.({ root: path, replica, about, isRepair: publication.repair ?? false }, call);
      return await publish(path, replica, isServer ? { ...publication, beside } : publication, call);
    },
  };
}

type OpeningContext = Pick<PublishingContext, "embeddings">;

async function openCurrent(project: CodeProject, { embeddings }: OpeningContext): Promise<CodeStore> {
  const file = currentIndexFile(project);
  return requireIndex(file === undefined ? undefined : await openCurrentFormat(file, embeddings));
}

/** If not, text that was never committed may still be in the file. */
async function hasOnlyCommits(project: CodeProject, context: OpeningContext): Promise<boolean> {
  using code = await openCurrent(project, context);
  return readMetadata(code)["only_commits"] === "true";
}

/** A word is looked up in each segment, so servers want few. Merging changes most blocks: only the first publication does it. */
async function copyIndex(
  project: CodeProject,
  context: OpeningContext,
  { copy, isFirst }: { readonly copy: string; readonly isFirst: boolean },
): Promise<void> {
  using code = await openCurrent(project, context);
  const { chunks, segments } = code.index.counts();
  // An index that started from a published one shares its blocks.
  if (isFirst && segments > 1 + chunks / CHUNKS_PER_SEGMENT) {
    code.index.vacuum();
    // Free pages between the others would be filled by the next change, in many blocks.
    code.store.exec("VACUUM");
  }
  await copyDatabase(code.store, copy);
  const connection = sqliteDriver().open(copy, { readOnly: false });
  try {
    connection.exec(WITHOUT_PLACE);
  } finally {
    connection.close();
  }
}

/** Every file that is indexed must be the commit's. */
async function requireClean(root: string, signal: AbortSignal): Promise<GitOrigin> {
  const origin = await readGitOrigin(root, signal);
  if (origin === undefined) throw notARepository();
  const options = { cwd: root, signal };
  const [inTree, staged] = await Promise.all([
    askGit(["ls-files", "-z", "-m", "-o", "--exclude-standard"], options),
    askGit(["diff-index", "--cached", "--name-only", "-z", origin.commit, "--", "."], options),
  ]);
  if (inTree === undefined || staged === undefined) throw notARepository();
  const changed = new Set([...inTree.split("\0"), ...staged.split("\0")].filter((path) => path !== ""));
  if (changed.size > 0) throw dirty([...changed]);
  return origin;
}

/** The last part of the remote's address: the rest may hold a password. */
async function projectName(root: string, signal: AbortSignal): Promise<string> {
  const url = (await askGit(["config", "--get", "remote.origin.url"], { cwd: root, signal }))?.trim() ?? "";
  const name = /([^/:\\]+?)(?:\.git)?[/\\]*$/.exec(url)?.[1];
  return name === undefined || name.includes("@") ? basename(root) : name;
}

const noTeam = () =>
  new DomainError(
    "invalid_input",
    "No team's store is known. Give --to, or set url under [team] in your own config.toml.",
    { reason: "config" },
  );
const notARepository = () =>
  new DomainError("invalid_input", "Only a git repository with a commit can be published.", {
    reason: "not_a_repository",
  });
const dirty = (paths: readonly string[]) =>
  new DomainError(
    "conflict",
    `The work tree differs from its commit (${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ", …" : ""}). Only a commit can be published: commit or stash the changes first.`,
    { reason: "dirty_tree" },
  );
const shallow = () =>
  new DomainError(
    "invalid_input",
    "This clone is shallow: it lacks the first commits, by which a team's copies of a repository know each other. Run git fetch --unshallow first.",
    { reason: "shallow_clone" },
  );
const moved = () =>
  new DomainError("conflict", "Another commit was checked out meanwhile. Publish again.", {
    reason: "moved",
  });
