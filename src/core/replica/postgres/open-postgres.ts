import type { Pool } from "pg";
import { DomainError } from "../../errors.ts";
import type { StoredBlocks, TeamStore } from "../replica.ts";
import type { S3BlocksOptions } from "../s3/s3-blocks.ts";
import { postgresBlocks } from "./postgres-blocks.ts";
import { openPool, withClient } from "./postgres-client.ts";
import { postgresRegistry } from "./postgres-registry.ts";

type BucketKeys = S3BlocksOptions["env"];

/** Our own parameters: where blocks go, for example `blocks=s3://BUCKET/PREFIX&s3_region=eu-central-1`. */
const OWN = ["blocks", "s3_endpoint", "s3_region"] as const;

export async function openPostgresStore(url: string, env: BucketKeys): Promise<TeamStore> {
  const { database, blocks } = splitUrl(url);
  if (blocks !== undefined) bucketOf(blocks, env);
  const pool = await openPool(database);
  try {
    const place = await placeOfBlocks(pool, blocks);
    return {
      blocks: place === undefined ? postgresBlocks(pool) : await openBucket(pool, bucketOf(place, env)),
      registry: postgresRegistry(pool),
      [Symbol.asyncDispose]: () => pool.end(),
    };
  } catch (thrown) {
    await pool.end();
    throw thrown;
  }
}

async function openBucket(pool: Pool, options: S3BlocksOptions): Promise<StoredBlocks> {
  const { s3Blocks } = await import("../s3/s3-blocks.ts");
  return s3Blocks(pool, options);
}

function splitUrl(url: string): { readonly database: string; readonly blocks: string | undefined } {
  const [address = "", text = ""] = url.split("?", 2);
  const query = new URLSearchParams(text);
  const own = new URLSearchParams();
  for (const name of OWN) {
    const value = query.get(name);
    if (value) own.set(name, value);
    query.delete(name);
  }
  const rest = query.toString();
  return {
    database: rest ? `${address}?${rest}` : address,
    blocks: own.has("blocks") ? `${own}` : undefined,
  };
}

/** The first program that names a bucket decides for all: a generation whose blocks are in two places cannot be read. */
const placeOfBlocks = (pool: Pool, wanted: string | undefined): Promise<string | undefined> =>
  withClient(pool, async (client) => {
    const known = async () => {
      const { rows } = await client.query<{ value: string }>(
        "SELECT value FROM contextful.settings WHERE name = 'blocks'",
      );
      return rows[0]?.value;
    };
    const place = await known();
    if (wanted === undefined || wanted === place) return place;
    await client.query(
      `INSERT INTO contextful.settings (name, value) SELECT 'blocks', $1
       WHERE NOT EXISTS (SELECT FROM contextful.blocks WHERE packed IS NOT NULL) ON CONFLICT DO NOTHING`,
      [wanted],
    );
    if ((await known()) === wanted) return wanted;
    throw new DomainError(
      "conflict",
      "The team's blocks are in another place already. Name the same bucket as the others, or a new database.",
      { reason: "other_blocks" },
    );
  });

function bucketOf(place: string, env: BucketKeys): S3BlocksOptions {
  const parameters = new URLSearchParams(place);
  const [, bucket, prefix = ""] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(parameters.get("blocks") ?? "") ?? [];
  if (bucket === undefined) {
    throw new DomainError("invalid_input", "The place of a team's blocks is s3://BUCKET/PREFIX.", {
      reason: "config",
    });
  }
  return {
    label: "The team's blocks",
    bucket,
    prefix: prefix && `${prefix.replace(/\/+$/, "")}/`,
    region: parameters.get("s3_region") ?? "us-east-1",
    endpoint: parameters.get("s3_endpoint") ?? undefined,
    env,
  };
}
