import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { deadline } from "../../deadline.ts";
import { DomainError, type ErrorCode } from "../../errors.ts";
import { Generation, type LeaseTerms, Manifest, type Replica, type ReplicaLease } from "../replica.ts";
import { decodeBlocks, encodeBlocks, MANIFESTS_HEADER } from "./wire.ts";

interface HttpReplicaOptions {
  readonly url: string;
  /** The access token. */
  readonly token: string;
}
/** How many manifests a caller names: three files are published at once. A server reads no more. */
const MANIFESTS = 4;
/** A server reads no larger body than four megabytes. */
const PUT_BYTES = 2_000_000;
const TRIES = 4;
const TIMEOUT_MS = 120_000;
const CODES = ["invalid_input", "not_found", "conflict", "unavailable"] as const satisfies ErrorCode[];
const Failure = z.object({
  error: z.object({
    code: z.enum(CODES).catch("unavailable"),
    message: z.string(),
    reason: z.string().optional(),
  }),
});
const Hashes = z.object({ hashes: z.array(z.string()) });

/** A team's store behind its server: what an access token may do there. Blocks and manifests are verified by their reader, as from any other store. */
export function httpReplica(given: HttpReplicaOptions): Replica {
  /** A server tells of blocks only within manifests that the caller names and may read. */
  const manifests: string[] = [];
  const remember = (id: string) =>
    manifests.splice(0, manifests.length, ...[...new Set([id, ...manifests])].slice(0, MANIFESTS));
  const options = { ...given, manifests };
  const ask = async <Output extends z.ZodType>(output: Output, name: string, input: unknown) =>
    output.parse(JSON.parse((await send(options, name, JSON.stringify(input))).toString("utf8")));
  const leaseOf = ({ name, holder, ttlMs }: LeaseTerms): ReplicaLease => {
    const held = { name, holder, ttl_ms: ttlMs };
    return {
      holder,
      renew: async () => (await ask(z.object({ held: z.boolean() }), "renew", held)).held,
      release: async () => void (await ask(z.object({}), "release", held)),
    };
  };
  return {
    blocks: {
      has: async (hashes) => new Set((await ask(Hashes, "has", { hashes })).hashes),
      async put(packed) {
        for (const part of parts(packed)) await send(options, "put", encodeBlocks(part));
      },
      async get(hashes) {
        const blocks = decodeBlocks(await send(options, "get", JSON.stringify({ hashes })));
        if (!blocks) throw unreachable();
        return blocks;
      },
    },
    registry: {
      publish: async (generation, manifest) =>
        (await ask(z.object({ published: z.boolean() }), "publish", { generation, manifest })).published,
      async generations(project, kind) {
        const Answer = z.object({ generations: z.array(Generation) });
        const { generations } = await ask(Answer, "generations", { project, kind });
        const [newest] = generations;
        if (newest) remember(newest.manifest);
        return generations;
      },
      async manifest(id) {
        remember(id);
        return (await ask(z.object({ manifest: Manifest.optional() }), "manifest", { id })).manifest;
      },
      async lease(name, ttlMs) {
        const Answer = z.object({ holder: z.string().optional() });
        const { holder } = await ask(Answer, "lease", { name, ttl_ms: ttlMs });
        return holder === undefined ? undefined : leaseOf({ name, holder, ttlMs });
      },
      leaseOf,
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

type SentBody = string | Uint8Array<ArrayBuffer>;

interface ReplicaServer extends HttpReplicaOptions {
  readonly manifests: readonly string[];
}

async function send(options: ReplicaServer, name: string, body: SentBody): Promise<Buffer> {
  using limit = deadline(TIMEOUT_MS);
  const response = await post(options, name, body, limit.signal);
  return Buffer.from(
    await response.arrayBuffer().catch((cause: unknown) => {
      throw unreachable(cause);
    }),
  );
}

/** Calls that are refused for a while are tried again when the server says. */
async function post(
  { url, token, manifests }: ReplicaServer,
  name: string,
  body: SentBody,
  signal: AbortSignal,
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(new URL(`replica/${name}`, `${url.replace(/\/+$/, "")}/`), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/octet-stream",
        [MANIFESTS_HEADER]: manifests.join(","),
      },
      body,
      // The token is for this server alone.
      redirect: "error",
      signal,
    }).catch((cause: unknown) => {
      throw unreachable(cause);
    });
    if (response.ok) return response;
    const retryAfter = Number(response.headers.get("retry-after") ?? 0);
    if (response.status !== 429 || tries === TRIES) throw await failureOf(response);
    await response.arrayBuffer();
    await pause(1_000 * Math.max(1, retryAfter));
  }
}

async function failureOf(response: Response): Promise<DomainError> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status === 401) return unknownToken();
  const known = Failure.safeParse(body);
  if (!known.success) return unreachable();
  const { code, message, reason } = known.data.error;
  return new DomainError(code, message, reason === undefined ? {} : { reason });
}

function* parts(packed: ReadonlyMap<string, Uint8Array>): Iterable<ReadonlyMap<string, Uint8Array>> {
  let part = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const [hash, block] of packed) {
    if (part.size > 0 && bytes + block.length > PUT_BYTES) {
      yield part;
      [part, bytes] = [new Map(), 0];
    }
    part.set(hash, block);
    bytes += block.length;
  }
  if (part.size > 0) yield part;
}

const unreachable = (cause?: unknown) =>
  new DomainError("unavailable", "The team's server does not answer.", { reason: "team_unavailable", cause });
const unknownToken = () =>
  new DomainError(
    "unavailable",
    "The team's server does not know this access token. Run contextful team login URL --token-file FILE.",
    { reason: "team_token" },
  );
