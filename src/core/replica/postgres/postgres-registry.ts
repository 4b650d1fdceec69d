import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import {
  Generation,
  type LeaseTerms,
  MAX_GENERATION_BYTES,
  MAX_MANIFEST_BYTES,
  Manifest,
  type ReplicaLease,
  readingLease,
  type StoreRegistry,
} from "../replica.ts";
import { touchBlocks } from "./postgres-blocks.ts";
import { inTransaction, withClient } from "./postgres-client.ts";

/** Nobody keeps more. A writer to the database could add any number. */
const MAX_GENERATIONS = 10_000;
const COLUMNS = "project, name, kind, commit, published_at, manifest";

export function postgresRegistry(pool: Pool): StoreRegistry {
  const all = async (condition: string, values: readonly string[]): Promise<Generation[]> => {
    const text = `SELECT ${COLUMNS} FROM contextful.generations
      WHERE octet_length(generations::text) <= ${MAX_GENERATION_BYTES} ${condition}
      ORDER BY published_at DESC, commit LIMIT ${MAX_GENERATIONS}`;
    const { rows } = await withClient(pool, (client) => client.query(text, [...values]));
    // One odd row does not hide the other generations.
    return rows.flatMap((row) => Generation.safeParse(row).data ?? []);
  };
  return {
    publish: (generation, manifest) => publish(pool, generation, manifest),
    generations: (project, kind) => all("AND project = $1 AND kind = $2", [project, kind]),
    manifest: (id) =>
      withClient(pool, async (client) => {
        const { rows } = await client.query<{ content: string }>(
          `SELECT content FROM contextful.manifests WHERE id = $1 AND octet_length(content) <= ${MAX_MANIFEST_BYTES}`,
          [id],
        );
        return rows[0] && Manifest.parse(JSON.parse(rows[0].content));
      }),
    manifests: () =>
      withClient(pool, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          "SELECT id FROM contextful.manifests ORDER BY id",
        );
        return rows.map(({ id }) => id);
      }),
    retire: (keep, before) => retire(pool, keep, before),
    forget: (project) =>
      withClient(pool, async (client) => {
        const text = "DELETE FROM contextful.generations WHERE project = $1";
        return (await client.query(text, [project])).rowCount ?? 0;
      }),
    lease: (name, ttlMs) => acquire(pool, { name, ttlMs, holder: randomUUID() }),
    leaseOf: (held) => leaseOf(pool, held),
    leases: (prefix) =>
      withClient(pool, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          "SELECT name FROM contextful.leases WHERE starts_with(name, $1) AND expires_at > now() ORDER BY name",
          [prefix],
        );
        return rows.map(({ name }) => name);
      }),
  };
}

/** One transaction: a manifest is never visible without its blocks, and its blocks cannot go before it is visible. */
const publish = (pool: Pool, generation: Generation, manifest: Manifest): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const wanted = new Set(manifest.blocks);
    if ((await touchBlocks(client, [...wanted])).size < wanted.size) return false;
    const { project, name, kind, commit, published_at } = generation;
    await client.query(
      `INSERT INTO contextful.manifests (id, content) VALUES ($1, $2)
       ON CONFLICT (id) DO UPDATE SET published_at = now()`,
      [generation.manifest, JSON.stringify(manifest)],
    );
    await client.query(
      `INSERT INTO contextful.generations (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (project, kind, commit) DO UPDATE
       SET name = excluded.name, published_at = excluded.published_at, manifest = excluded.manifest`,
      [project, name, kind, commit, published_at, generation.manifest],
    );
    return true;
  });

const retire = (pool: Pool, keep: number, before: Date): Promise<number> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `DELETE FROM contextful.generations USING (
         SELECT project, kind, commit,
                row_number() OVER (PARTITION BY project, kind ORDER BY published_at DESC, commit) AS place
         FROM contextful.generations
       ) AS placed
       WHERE generations.project = placed.project AND generations.kind = placed.kind
         AND generations.commit = placed.commit AND placed.place > $1`,
      [keep],
    );
    await client.query(
      `DELETE FROM contextful.manifests WHERE published_at < $1
       AND NOT EXISTS (SELECT FROM contextful.generations WHERE manifest = manifests.id)
       AND NOT EXISTS (
         SELECT FROM contextful.leases WHERE starts_with(name, replace($2, '*', manifests.id)) AND expires_at > now()
       )`,
      [before, readingLease("*")],
    );
    return rowCount ?? 0;
  });

const UNTIL = "clock_timestamp() + $3 * interval '1 millisecond'";

async function acquire(pool: Pool, wanted: LeaseTerms): Promise<ReplicaLease | undefined> {
  const isOurs = await changes(
    pool,
    `INSERT INTO contextful.leases (name, holder, expires_at) VALUES ($1, $2, ${UNTIL})
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE leases.expires_at <= clock_timestamp()`,
    [wanted.name, wanted.holder, wanted.ttlMs],
  );
  return isOurs ? leaseOf(pool, wanted) : undefined;
}

const leaseOf = (pool: Pool, { name, holder, ttlMs }: LeaseTerms): ReplicaLease => ({
  holder,
  renew: () =>
    changes(pool, `UPDATE contextful.leases SET expires_at = ${UNTIL} WHERE name = $1 AND holder = $2`, [
      name,
      holder,
      ttlMs,
    ]),
  async release() {
    await changes(pool, "DELETE FROM contextful.leases WHERE name = $1 AND holder = $2", [name, holder]);
  },
});

const changes = (pool: Pool, text: string, values: readonly unknown[]): Promise<boolean> =>
  withClient(pool, async (client) => ((await client.query(text, [...values])).rowCount ?? 0) > 0);
