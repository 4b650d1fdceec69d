import type { Replica } from "../replica.ts";
import { postgresBlocks } from "./postgres-blocks.ts";
import { openPool } from "./postgres-client.ts";
import { postgresRegistry } from "./postgres-registry.ts";

export async function openPostgresReplica(url: string): Promise<Replica> {
  const pool = await openPool(url);
  return {
    blocks: postgresBlocks(pool),
    registry: postgresRegistry(pool, url),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
