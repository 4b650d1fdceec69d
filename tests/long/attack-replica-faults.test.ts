import { describe, expect, test } from "vitest";
import { postgresBinaries, startPostgres } from "../support/postgres-server.ts";
import { publishUnderFaults } from "../support/replica-faults.ts";
import { S3_KEYS, startS3 } from "../support/s3-server.ts";
import { tempDir } from "../support/temp-dir.ts";

const PUBLICATIONS = 200;
const binaries = postgresBinaries();

test("200 publications to a directory by publishers that are killed", async () => {
  using directory = tempDir();
  const outcome = await publishUnderFaults({ url: directory.path, publications: PUBLICATIONS, leases: "" });
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  expect(outcome.kills).toBeGreaterThan(20);
});

describe.skipIf(binaries === undefined)("a PostgreSQL that is killed too", () => {
  const run = async (suffix: string, env?: Readonly<Record<string, string>>) => {
    await using server = await startPostgres(binaries ?? "");
    const url = `${await server.createDatabase()}${suffix}`;
    const restartStore = async () => {
      await server.kill();
      await server.start();
    };
    const outcome = await publishUnderFaults({
      url,
      publications: PUBLICATIONS,
      leases: "",
      restartStore,
      ...(env && { env }),
    });
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
    expect(outcome.restarts).toBeGreaterThan(2);
  };

  test("200 publications of rows", () => run(""));

  test("200 publications of objects", async () => {
    const bucket = await startS3("team");
    try {
      await run(`&blocks=s3://team/blocks&s3_endpoint=${bucket.endpoint}`, S3_KEYS);
    } finally {
      await bucket.end();
    }
  });
});
