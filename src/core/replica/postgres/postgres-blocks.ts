import type { Pool } from "pg";
import { byCodeUnit } from "../../order.ts";
import { MAX_PACKED_BYTES, type StoredBlocks } from "../replica.ts";
import { withClient } from "./postgres-client.ts";

const PAGE = 10_000;

interface BlockRow {
  readonly hash: Buffer;
  readonly packed: string;
}

/** Blocks as rows. The database's clock says when somebody last put a block or asked for it. */
export function postgresBlocks(pool: Pool): StoredBlocks {
  return {
    has: (hashes) => withClient(pool, (client) => touchBlocks(client, hashes)),
    put: (packed) =>
      withClient(pool, async (client) => {
        // In one order everywhere: two publications that wait for each other's rows would end in a deadlock.
        const sorted = [...packed].sort(([a], [b]) => byCodeUnit(a, b));
        await client.query(
          `INSERT INTO contextful.blocks (hash, packed) SELECT * FROM unnest($1::bytea[], $2::bytea[])
           ON CONFLICT (hash) DO UPDATE SET packed = excluded.packed, touched_at = now()`,
          [sorted.map(([hash]) => bytesOf(hash)), sorted.map(([, bytes]) => Buffer.from(bytes))],
        );
      }),
    get: (hashes) =>
      withClient(pool, async (client) => {
        // PostgreSQL would send two characters for each byte.
        const { rows } = await client.query<BlockRow>(
          `SELECT hash, encode(packed, 'base64') AS packed FROM contextful.blocks
           WHERE hash = ANY($1::bytea[]) AND octet_length(packed) <= ${MAX_PACKED_BYTES} LIMIT $2`,
          [hashes.map(bytesOf), hashes.length],
        );
        return new Map(rows.map(({ hash, packed }) => [hash.toString("hex"), Buffer.from(packed, "base64")]));
      }),
    async *list() {
      let after: Buffer = Buffer.alloc(0);
      for (;;) {
        const { rows } = await withClient(pool, (client) =>
          client.query<Pick<BlockRow, "hash">>(
            "SELECT hash FROM contextful.blocks WHERE hash > $1 ORDER BY hash LIMIT $2",
            [after, PAGE],
          ),
        );
        for (const { hash } of rows) yield hash.toString("hex");
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.hash;
      }
    },
    remove: (hashes, before) =>
      withClient(pool, async (client) => {
        const { rowCount } = await client.query(
          "DELETE FROM contextful.blocks WHERE hash = ANY($1::bytea[]) AND touched_at < $2",
          [hashes.map(bytesOf), before],
        );
        return rowCount ?? 0;
      }),
  };
}

/**
 * Which of these are stored. A row that garbage collection is about to delete is kept, or not reported. A publication asks
 * several times, and garbage collection waits much longer than a minute.
 */
export async function touchBlocks(
  client: Pick<Pool, "query">,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<Pick<BlockRow, "hash">>(
    `WITH stored AS (
       SELECT hash, touched_at FROM contextful.blocks WHERE hash = ANY($1::bytea[]) ORDER BY hash FOR UPDATE
     ), touched AS (
       UPDATE contextful.blocks SET touched_at = now() FROM stored
       WHERE blocks.hash = stored.hash AND stored.touched_at < now() - interval '1 minute'
     )
     SELECT hash FROM stored`,
    [hashes.map(bytesOf)],
  );
  return new Set(rows.map(({ hash }) => hash.toString("hex")));
}

export const bytesOf = (hash: string): Buffer => Buffer.from(hash, "hex");
