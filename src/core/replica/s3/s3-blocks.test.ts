import { afterAll, beforeAll, expect, test } from "vitest";
import { query } from "../../../../tests/support/postgres-server.ts";
import { replicaSuite } from "../../../../tests/support/replica-suite.ts";
import { S3_KEYS, startS3 } from "../../../../tests/support/s3-server.ts";
import { describeWithPostgres } from "../../../../tests/support/team-database.ts";
import { sha256 } from "../../hash.ts";
import { packBlock } from "../blocks.ts";
import { openReplica, openTeamStore } from "../open-replica.ts";

describeWithPostgres("S3 beside PostgreSQL", (server) => {
  let bucket: Awaited<ReturnType<typeof startS3>>;
  let databases = 0;
  beforeAll(async () => {
    bucket = await startS3("team");
  }, 120_000);
  afterAll(() => bucket.end());
  const place = (prefix: string) => `blocks=s3://team/${prefix}&s3_endpoint=${bucket.endpoint}`;
  const newStore = async () => {
    const url = await server().createDatabase();
    const prefix = `blocks-${databases++}`;
    return { url, prefix, open: () => openTeamStore(`${url}&${place(prefix)}`, S3_KEYS) };
  };

  replicaSuite("as a team's store", async () => {
    const { open, prefix } = await newStore();
    return {
      open,
      openStore: open,
      async damage(hash) {
        const key = `${prefix}/${hash.slice(0, 2)}/${hash}`;
        const bytes = await bucket.get(key);
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
        await bucket.put(key, bytes);
      },
      [Symbol.asyncDispose]: async () => {},
    };
  });

  test("the database holds no bytes and tells every program where they are", async () => {
    const { url, open } = await newStore();
    const hash = sha256("a");
    await using first = await open();
    await first.blocks.put(new Map([[hash, packBlock(Buffer.from("a"))]]));
    expect(await query(url, "SELECT packed FROM contextful.blocks")).toEqual([{ packed: null }]);
    await using second = await openReplica(url, S3_KEYS);
    expect([...(await second.blocks.get([hash])).keys()]).toEqual([hash]);
    await expect(openReplica(`${url}&${place("other")}`, S3_KEYS)).rejects.toMatchObject({
      reason: "other_blocks",
    });
  });

  test("a database that holds bytes already keeps them", async () => {
    const url = await server().createDatabase();
    await using replica = await openReplica(url);
    await replica.blocks.put(new Map([[sha256("a"), packBlock(Buffer.from("a"))]]));
    await expect(openReplica(`${url}&${place("late")}`, S3_KEYS)).rejects.toMatchObject({
      reason: "other_blocks",
    });
  });

  test("a bucket that refuses us leaves no row of a block, and the message shows no address", async () => {
    const { url, open } = await newStore();
    await using replica = await open();
    await using stranger = await openReplica(url, {
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "wrong",
    });
    const hash = sha256("a");
    const failure = await stranger.blocks
      .put(new Map([[hash, packBlock(Buffer.from("a"))]]))
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      reason: "team_unavailable",
      message: "The bucket of the team's blocks cannot be reached or refuses us.",
    });
    expect([...(await replica.blocks.has([hash]))]).toEqual([]);
    await expect(openReplica(`${url}&blocks=ftp://x`, S3_KEYS)).rejects.toMatchObject({ reason: "config" });
  });
});
