import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { query } from "../../../../tests/support/postgres-server.ts";
import { replicaSuite } from "../../../../tests/support/replica-suite.ts";
import { describeWithPostgres } from "../../../../tests/support/team-database.ts";
import { sha256 } from "../../hash.ts";
import { packBlock } from "../blocks.ts";
import { openReplica, openTeamStore } from "../open-replica.ts";
import { loadPg } from "./postgres-client.ts";

describeWithPostgres("PostgreSQL", (server) => {
  replicaSuite("as a team's store", async () => {
    const url = await server().createDatabase();
    return {
      open: () => openReplica(url),
      openStore: () => openTeamStore(url),
      async damage(hash) {
        await query(
          url,
          `UPDATE contextful.blocks SET packed = set_byte(packed, length(packed) / 2, 255 - get_byte(packed, length(packed) / 2)) WHERE hash = decode('${hash}', 'hex')`,
        );
      },
      [Symbol.asyncDispose]: async () => {},
    };
  });

  test("many programs that come first at once create the tables once", async () => {
    const url = await server().createDatabase();
    const replicas = await Promise.all(Array.from({ length: 6 }, () => openReplica(url)));
    expect(await query(url, "SELECT version FROM contextful.schema_version")).toEqual([{ version: 2 }]);
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
  });

  test("a database that a newer program wrote is refused", async () => {
    const url = await server().createDatabase();
    await (await openReplica(url))[Symbol.asyncDispose]();
    await query(url, "UPDATE contextful.schema_version SET version = 99");
    await expect(openReplica(url)).rejects.toMatchObject({ reason: "newer_schema" });
  });

  test("a connection that the server ends during a query is told as a database that is away", async () => {
    const url = await server().createDatabase();
    await using replica = await openReplica(url);
    const { Client } = await loadPg();
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE contextful.leases");
    const asked = replica.registry.lease("held", 1_000).catch((thrown: unknown) => thrown);
    const end = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted";
    await expect.poll(() => query(url, end), { timeout: 60_000 }).toHaveLength(1);
    await other.end();
    const failure = await asked;
    expect(failure).toMatchObject({ reason: "team_unavailable" });
    expect(await replica.registry.lease("held", 1_000)).toBeDefined();
  });

  test("who is refused is told why, and what to do", async () => {
    const url = await server().createDatabase();
    await query(url, "DROP ROLE IF EXISTS poor; CREATE ROLE poor LOGIN");
    const refusal = (role: string, address: string) => {
      const changed = address.replace("postgres://postgres@", `postgres://${role}@`);
      return openReplica(changed).catch((thrown: unknown) => Object(thrown).message);
    };
    expect([
      await refusal("nobody", url),
      await refusal("postgres", url.replace(/\/team_\d+/, "/absent")),
      await refusal("poor", url),
    ]).toEqual([
      expect.stringContaining("refuses this user or password. Check"),
      expect.stringContaining("is not on this server. Create it"),
      expect.stringContaining("does not let this user create or use the tables. Let"),
    ]);
    await (await openReplica(url))[Symbol.asyncDispose]();
    expect(await refusal("poor", url)).toContain("does not let this user");
  });

  test("a server that ends in the moment in which it accepts us does not end us", async () => {
    const message = (kind: string, body: string) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(4 + body.length);
      return `${kind}${length.toString("latin1")}${body}`;
    };
    const welcome = message("R", "\0\0\0\0") + message("Z", "I");
    const farewell = message("E", "SFATAL\0C57P01\0Mterminating connection\0\0");
    const ending = createServer((socket) => {
      socket.once("data", () => socket.end(`${welcome}${farewell}`, "latin1"));
    }).listen(0, "127.0.0.1");
    await once(ending, "listening");
    const address = ending.address();
    const port = typeof address === "object" ? address?.port : 0;
    try {
      const opening = openReplica(`postgres://nobody@127.0.0.1:${port}/none`);
      await expect(opening).rejects.toMatchObject({ reason: "team_unavailable" });
    } finally {
      ending.close();
    }
  });

  test("if the database is away, the message shows no address; after its return the same connection works", async () => {
    const url = await server().createDatabase();
    await using replica = await openReplica(url);
    const hash = sha256("a");
    await replica.blocks.put(new Map([[hash, packBlock(Buffer.from("a"))]]));
    await server().kill();
    // The process of a connection may outlive the killed server for a moment.
    const failure = () => replica.blocks.has([hash]).catch((thrown: unknown) => thrown);
    await expect.poll(failure, { timeout: 60_000 }).toMatchObject({
      reason: "team_unavailable",
      message: "The team's database cannot be reached. Check that it is running.",
    });
    await server().start();
    expect([...(await replica.blocks.has([hash]))]).toEqual([hash]);
  });
});
