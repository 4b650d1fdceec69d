import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { unpackBlock } from "../blocks.ts";
import { Generation, type LeaseTerms, Manifest, type Replica } from "../replica.ts";
import { decodeBlocks, encodeBlocks } from "./wire.ts";

export interface ReplicaRequest {
  /** What to call: the name of a method of the ports. */
  readonly name: string;
  readonly body: Uint8Array;
}

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Twice as many as a publisher or a reader handles at once. All of them are in memory, and are verified in one go. */
const MOST_BLOCKS = 512;
const Hashes = z.object({ hashes: z.array(Hash).max(10_000) });
const WantedBlocks = z.object({ hashes: z.array(Hash).max(MOST_BLOCKS) });
const LeaseWanted = z.object({
  name: z.string().regex(/^[\w-]{1,200}$/),
  ttl_ms: z.int().nonnegative().max(3_600_000),
});
const LeaseHeld = LeaseWanted.extend({ holder: z.uuid() });

/** Serves a replica over HTTP. What the caller may do is for the replica to decide. Nothing is remembered between calls. */
export async function answerReplicaCall(replica: Replica, request: ReplicaRequest): Promise<Response> {
  try {
    return await answer(replica, request);
  } catch (thrown) {
    if (thrown instanceof z.ZodError || thrown instanceof SyntaxError) return failure(notUnderstood());
    if (thrown instanceof DomainError) return failure(thrown);
    throw thrown;
  }
}

const failure = ({ code, message, reason }: DomainError): Response =>
  Response.json({ error: { code, message, reason } }, { status: code === "unavailable" ? 503 : 400 });

async function answer(replica: Replica, { name, body }: ReplicaRequest): Promise<Response> {
  const { blocks } = replica;
  if (name === "put") {
    const put = decodeBlocks(body);
    if (!put || put.size > MOST_BLOCKS) throw notUnderstood();
    // Nobody else would notice a block under a wrong name before it is read.
    if ([...put].some(([hash, packed]) => unpackBlock(packed, hash) === undefined)) throw notUnderstood();
    await blocks.put(put);
    return Response.json({});
  }
  const raw: unknown = JSON.parse(new TextDecoder().decode(body));
  if (name === "get") return new Response(encodeBlocks(await blocks.get(WantedBlocks.parse(raw).hashes)));
  const known = Object.entries(calls(replica)).find(([call]) => call === name);
  if (!known) throw new DomainError("not_found", "A team's store has no such call.");
  return Response.json(await known[1](raw));
}

const calls = ({
  blocks,
  registry,
}: Replica): Readonly<Record<string, (raw: unknown) => Promise<unknown>>> => ({
  has: async (raw) => ({ hashes: [...(await blocks.has(Hashes.parse(raw).hashes))] }),
  async publish(raw) {
    const { generation, manifest } = z.object({ generation: Generation, manifest: Manifest }).parse(raw);
    return { published: await registry.publish(generation, manifest) };
  },
  async generations(raw) {
    const { project, kind } = z.object({ project: Hash, kind: z.string() }).parse(raw);
    return { generations: await registry.generations(project, kind) };
  },
  manifest: async (raw) => ({ manifest: await registry.manifest(z.object({ id: Hash }).parse(raw).id) }),
  async lease(raw) {
    const { name, ttl_ms } = LeaseWanted.parse(raw);
    return { holder: (await registry.lease(name, ttl_ms))?.holder };
  },
  renew: async (raw) => ({ held: await registry.leaseOf(heldLease(raw)).renew() }),
  async release(raw) {
    await registry.leaseOf(heldLease(raw)).release();
    return {};
  },
});

function heldLease(raw: unknown): LeaseTerms {
  const { name, holder, ttl_ms: ttlMs } = LeaseHeld.parse(raw);
  return { name, holder, ttlMs };
}

const notUnderstood = () =>
  new DomainError("invalid_input", "The team's server does not understand this call.", { reason: "wire" });
