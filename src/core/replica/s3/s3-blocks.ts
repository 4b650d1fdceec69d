import type { Pool } from "pg";
import { DomainError } from "../../errors.ts";
import { byCodeUnit } from "../../order.ts";
import { type BucketAddress, openS3Bucket, readWithin } from "../../s3/s3-bucket.ts";
import { bytesOf, postgresBlocks } from "../postgres/postgres-blocks.ts";
import { inTransaction } from "../postgres/postgres-client.ts";
import { MAX_PACKED_BYTES, type StoredBlocks } from "../replica.ts";

export interface S3BlocksOptions extends BucketAddress {
  readonly prefix: string;
}

/**
 * Blocks as objects. The database knows which there are and when somebody last put one or asked for it. Its rows are locked
 * while objects are written or removed, so a row never outlives its object. A program that dies while it puts blocks leaves
 * objects without a row; they are written over when the same blocks are put again.
 */
export function s3Blocks(pool: Pool, options: S3BlocksOptions): StoredBlocks {
  const bucket = openS3Bucket(options);
  const keyOf = (hash: string) => `${options.prefix}${hash.slice(0, 2)}/${hash}`;
  const { has, list } = postgresBlocks(pool);
  return {
    has,
    list,
    put: (packed) =>
      inTransaction(pool, async (client) => {
        const hashes = [...packed.keys()].sort(byCodeUnit);
        await client.query(
          `INSERT INTO contextful.blocks (hash) SELECT * FROM unnest($1::bytea[])
           ON CONFLICT (hash) DO UPDATE SET touched_at = now()`,
          [hashes.map(bytesOf)],
        );
        await all([...packed], ([hash, body]) =>
          bucket(
            { method: "PUT", key: keyOf(hash), body },
            async (answer) => void (await answer.arrayBuffer()),
          ),
        );
      }),
    async get(hashes) {
      const found = await all(hashes, async (hash) => {
        try {
          const bytes = await bucket({ key: keyOf(hash) }, (answer) => readWithin(answer, MAX_PACKED_BYTES));
          return bytes ? [[hash, bytes] as const] : [];
        } catch (thrown) {
          if (thrown instanceof DomainError && thrown.details["status"] === 404) return [];
          throw thrown;
        }
      });
      return new Map(found.flat());
    },
    remove: (hashes, before) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ hash: Buffer }>(
          "DELETE FROM contextful.blocks WHERE hash = ANY($1::bytea[]) AND touched_at < $2 RETURNING hash",
          [hashes.map(bytesOf), before],
        );
        await all(rows, ({ hash }) =>
          bucket(
            { method: "DELETE", key: keyOf(hash.toString("hex")) },
            async (answer) => void (await answer.text()),
          ),
        );
        return rows.length;
      }),
  };
}

/** Many requests at once: one takes longer to arrive than to serve. */
const AT_ONCE = 32;

async function all<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const [item] = items.slice(at, at + 1);
      if (item !== undefined) results[at] = await run(item).catch(unreachable);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** Says nothing about the address. */
function unreachable(cause: unknown): never {
  if (cause instanceof DomainError && cause.code !== "unavailable") throw cause;
  throw new DomainError("unavailable", "The bucket of the team's blocks cannot be reached or refuses us.", {
    reason: "team_unavailable",
    cause,
  });
}
