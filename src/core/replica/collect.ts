import { holdLease } from "./held-lease.ts";
import type { TeamStore } from "./replica.ts";

interface CollectOptions {
  /** How many generations of each project stay. */
  readonly keep: number;
  /** A block that was put or asked for later than this stays, whoever needs it: a publication may be under way. */
  readonly graceMs: number;
  readonly now: () => Date;
}
interface CollectedGarbage {
  readonly generations: number;
  readonly blocks: number;
}

const COLLECTING_TTL_MS = 60_000;
const BATCH = 1_000;

/**
 * Removes old generations, and blocks that nothing needs: no manifest, no running reader, and no publication, which asks
 * for its blocks first. Returns `undefined` if another process is at it.
 */
export async function collectGarbage(
  { blocks, registry }: TeamStore,
  { keep, graceMs, now }: CollectOptions,
): Promise<CollectedGarbage | undefined> {
  await using collecting = await holdLease(registry, "collecting", COLLECTING_TTL_MS);
  if (collecting === undefined) return undefined;
  const before = new Date(now().getTime() - graceMs);
  const generations = await registry.retire(keep, before);
  const needed = await neededBlocks({ registry });
  let unneeded: string[] = [];
  let removed = 0;
  for await (const hash of blocks.list()) {
    if (!needed.has(hash)) unneeded.push(hash);
    if (unneeded.length < BATCH) continue;
    removed += await blocks.remove(unneeded, before);
    unneeded = [];
  }
  removed += await blocks.remove(unneeded, before);
  return { generations, blocks: removed };
}

async function neededBlocks({ registry }: Pick<TeamStore, "registry">): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const id of await registry.manifests()) {
    for (const hash of (await registry.manifest(id))?.blocks ?? []) needed.add(hash);
  }
  return needed;
}
