import { randomUUID } from "node:crypto";
import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { unpackBlock } from "../blocks.ts";
import { Generation, Manifest, type Replica, type ReplicaLease } from "../replica.ts";
import { decodeBlocks, encodeBlocks } from "./wire.ts";

/** Leases of callers that this process holds. If it ends, they end by their time. */
export type LeaseTable = Map<string, ReplicaLease>;

export interface ReplicaRequest {
  /** What to call: the name of a method of the ports. */
  readonly name: string;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Hashes = z.object({ hashes: z.array(Hash).max(10_000) });
const Before = z.object({ before: z.coerce.date() });
const LeaseWanted = z.object({ name: z.string().max(200), ttl_ms: z.int().nonnegative().max(3_600_000) });
const LeaseId = z.object({ id: z.string() });

/** Serves a replica over HTTP. What the caller may do is for the replica to decide. */
export async function answerReplicaCall(
  replica: Replica,
  leases: LeaseTable,
  request: ReplicaRequest,
): Promise<Response> {
  try {
    return await answer(replica, leases, request);
  } catch (thrown) {
    if (thrown instanceof z.ZodError || thrown instanceof SyntaxError) return failure(notUnderstood());
    if (thrown instanceof DomainError) return failure(thrown);
    throw thrown;
  }
}

const failure = ({ code, message, reason }: DomainError): Response =>
  Response.json({ error: { code, message, reason } }, { status: code === "unavailable" ? 503 : 400 });

async function answer(replica: Replica, leases: LeaseTable, request: ReplicaRequest): Promise<Response> {
  const { name, body, signal } = request;
  const { blocks } = replica;
  if (name === "put") {
    const put = decodeBlocks(body);
    // Nobody else would notice a block under a wrong name before it is read.
    if (!put || [...put].some(([hash, packed]) => unpackBlock(packed, hash) === undefined))
      throw notUnderstood();
    await blocks.put(put);
    return Response.json({});
  }
  const raw: unknown = JSON.parse(new TextDecoder().decode(body));
  if (name === "get") return new Response(encodeBlocks(await blocks.get(Hashes.parse(raw).hashes)));
  if (name === "list") return linesOf(blocks.list());
  if (name === "listen") return linesOf(await heard(replica, signal));
  const known = Object.entries(calls(replica, leases)).find(([call]) => call === name);
  if (!known) throw new DomainError("not_found", "A team's store has no such call.");
  return Response.json(await known[1](raw));
}

const calls = (
  { blocks, registry }: Replica,
  leases: LeaseTable,
): Readonly<Record<string, (raw: unknown) => Promise<unknown>>> => ({
  has: async (raw) => ({ hashes: [...(await blocks.has(Hashes.parse(raw).hashes))] }),
  async remove(raw) {
    const { hashes, before } = Hashes.extend(Before.shape).parse(raw);
    return { removed: await blocks.remove(hashes, before) };
  },
  async publish(raw) {
    const { generation, manifest } = z.object({ generation: Generation, manifest: Manifest }).parse(raw);
    return { published: await registry.publish(generation, manifest) };
  },
  async generations(raw) {
    const { project, kind } = z.object({ project: Hash, kind: z.string() }).parse(raw);
    return { generations: await registry.generations(project, kind) };
  },
  projects: async () => ({ projects: await registry.projects() }),
  manifest: async (raw) => ({ manifest: await registry.manifest(z.object({ id: Hash }).parse(raw).id) }),
  manifests: async () => ({ manifests: await registry.manifests() }),
  async retire(raw) {
    const { keep, before } = Before.extend({ keep: z.int().positive() }).parse(raw);
    return { removed: await registry.retire(keep, before) };
  },
  forget: async (raw) => ({ removed: await registry.forget(z.object({ project: Hash }).parse(raw).project) }),
  async lease(raw) {
    const { name, ttl_ms } = LeaseWanted.parse(raw);
    const lease = await registry.lease(name, ttl_ms);
    return lease ? { id: held(lease, leases) } : {};
  },
  renew: async (raw) => ({ held: (await leases.get(LeaseId.parse(raw).id)?.renew()) ?? false }),
  async release(raw) {
    const { id } = LeaseId.parse(raw);
    await leases.get(id)?.release();
    leases.delete(id);
    return {};
  },
  leases: async (raw) => ({
    leases: await registry.leases(z.object({ prefix: z.string() }).parse(raw).prefix),
  }),
});

const MAX_LEASES = 10_000;

/** Callers that died leave theirs behind: the oldest are forgotten, and end by their time. */
function held(lease: ReplicaLease, leases: LeaseTable): string {
  const id = randomUUID();
  leases.set(id, lease);
  const [oldest] = leases.keys();
  if (leases.size > MAX_LEASES && oldest !== undefined) leases.delete(oldest);
  return id;
}

/** Generations as they are published. The first line says that it listens. */
async function heard({ registry }: Replica, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
  const waiting: Generation[] = [];
  let wake = () => {};
  await registry.listen((generation) => {
    waiting.push(generation);
    wake();
  }, signal);
  signal.addEventListener("abort", () => wake(), { once: true });
  return (async function* () {
    yield { listening: true };
    while (!signal.aborted) {
      for (let next = waiting.shift(); next; next = waiting.shift()) yield next;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || signal.aborted) resolve();
      });
    }
  })();
}

/** One line of JSON for each value. */
function linesOf(values: AsyncIterable<unknown>): Response {
  const encoder = new TextEncoder();
  const iterator = values[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    cancel: async () => void (await iterator.return?.()),
  });
  return new Response(stream, { headers: { "Content-Type": "application/x-ndjson" } });
}

const notUnderstood = () =>
  new DomainError("invalid_input", "The team's server does not understand this call.", { reason: "wire" });
