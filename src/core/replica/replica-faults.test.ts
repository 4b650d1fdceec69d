import { expect, test } from "vitest";
import { postgresBinaries, startPostgres } from "../../../tests/support/postgres-server.ts";
import { publishUnderFaults } from "../../../tests/support/replica-faults.ts";
import { tempDir } from "../../../tests/support/temp-dir.ts";

/** More of the same: tests/long/attack-replica-faults.test.ts. */
const PUBLICATIONS = 8;
const binaries = postgresBinaries();

test("publishers that are killed lose nothing that was acknowledged in a directory", async () => {
  using directory = tempDir();
  const outcome = await publishUnderFaults({ url: directory.path, publications: PUBLICATIONS });
  expect(outcome.done).toBeGreaterThanOrEqual(PUBLICATIONS);
});

test.skipIf(binaries === undefined)(
  "publishers and a database that are killed lose nothing that was acknowledged",
  async () => {
    await using server = await startPostgres(binaries ?? "");
    const url = await server.createDatabase();
    const restartStore = async () => {
      await server.kill();
      await server.start();
    };
    const outcome = await publishUnderFaults({ url, publications: PUBLICATIONS, restartStore });
    expect(outcome.done).toBeGreaterThanOrEqual(PUBLICATIONS);
  },
);
