import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { query } from "../../../../tests/support/postgres-server.ts";
import { describeWithPostgres } from "../../../../tests/support/team-database.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { sha256 } from "../../hash.ts";
import { BLOCK_BYTES } from "../blocks.ts";
import { followGeneration } from "../follow.ts";
import { openTeamStore } from "../open-replica.ts";
import { publishFile } from "../publish.ts";
import type { Generation } from "../replica.ts";

const PROJECT = sha256("project");
const ABOUT = {
  ...{ project: PROJECT, name: "shop", kind: "code-1", commit: "a".repeat(40) },
  published_at: "2026-01-01T00:00:00.000Z",
};

/** What somebody who may write to the database puts in place of a block. */
const ODD_BLOCKS: Readonly<Record<string, string>> = {
  "bytes of another block": "packed = '\\x0001'",
  nothing: "packed = ''",
  "no value": "packed = NULL",
  "ten megabytes": "packed = decode(repeat('00', 10000000), 'hex')",
  "a block that unpacks to 64 megabytes": `packed = '\\x01${deflateRawSync(Buffer.alloc(64 * 1024 ** 2)).toString("hex")}'`,
};

describeWithPostgres("a database that somebody else writes to", (server) => {
  async function openTeam() {
    const directory = tempDir();
    const url = await server().createDatabase();
    const replica = await openTeamStore(url);
    const file = join(directory.path, "file");
    const publish = async (commit = ABOUT.commit) => {
      writeFileSync(file, randomBytes(3 * BLOCK_BYTES - 100));
      return (await publishFile(file, { ...ABOUT, commit }, replica)).generation;
    };
    const followed = join(directory.path, "followed");
    return {
      replica,
      publish,
      query: (sql: string) => query(url, sql),
      follow: (generation: Generation) => followGeneration(generation, followed, replica),
      left: () => readdirSync(followed),
      async [Symbol.asyncDispose]() {
        await replica[Symbol.asyncDispose]();
        directory[Symbol.dispose]();
      },
    };
  }

  test.each(Object.entries(ODD_BLOCKS))(
    "%s in place of a block is a damaged block",
    async (_name, change) => {
      await using team = await openTeam();
      const generation = await team.publish();
      await team.query(
        `UPDATE contextful.blocks SET ${change} WHERE hash = (SELECT min(hash) FROM contextful.blocks)`,
      );
      await expect(team.follow(generation)).rejects.toMatchObject({ reason: "damaged_block" });
      expect(team.left()).toEqual([]);
    },
  );

  test("a table of blocks that never ends is not read to its end", async () => {
    await using team = await openTeam();
    const generation = await team.publish();
    await team.query(
      `ALTER TABLE contextful.blocks RENAME TO stored;
       CREATE VIEW contextful.blocks AS SELECT hash, '\\x00'::bytea AS packed, touched_at
         FROM contextful.stored, generate_series(1, 1000000)`,
    );
    await expect(team.follow(generation)).rejects.toMatchObject({ reason: "damaged_block" });
  });

  test.each([
    ["a text of 64 megabytes", "repeat('x', 67108864)"],
    ["garbage", "'{'"],
    ["another manifest", `'{"version":1,"length":0,"block_bytes":16384,"blocks":[]}'`],
    ["blocks with paths for names", `'{"version":1,"length":1,"block_bytes":16384,"blocks":["../../x"]}'`],
  ])("%s in place of a manifest is refused", async (_name, content) => {
    await using team = await openTeam();
    const generation = await team.publish();
    await team.query(`UPDATE contextful.manifests SET content = ${content}`);
    await expect(team.follow(generation)).rejects.toMatchObject({
      reason: expect.stringMatching(/damaged_manifest|retired/),
    });
    expect(team.left()).toEqual([]);
  });

  test("odd generations do not hide the others", async () => {
    await using team = await openTeam();
    const generation = await team.publish();
    await team.query(
      `ALTER TABLE contextful.generations DROP CONSTRAINT generations_manifest_fkey;
       INSERT INTO contextful.generations (project, kind, commit, name, published_at, manifest) VALUES
         ('${PROJECT}', 'code-1', '../../../etc/passwd', 'shop', '9999', '${generation.manifest}'),
         ('${PROJECT}', 'code-1', '${"b".repeat(40)}', 'shop', '9999', '../../../etc/passwd'),
         ('${PROJECT}', 'code-1', '${"c".repeat(40)}', repeat('x', 10000000), '9999', '${generation.manifest}')`,
    );
    expect(await team.replica.registry.generations(PROJECT, "code-1")).toEqual([generation]);
  });
});
