import { expect, test } from "vitest";
import { query } from "../../../../tests/support/postgres-server.ts";
import { describeWithPostgres } from "../../../../tests/support/team-database.ts";
import { silentLogger } from "../../../core/logger.ts";
import { TeamDatabase } from "../database/team-database.ts";
import { addProject, removeProject } from "../projects/projects.ts";
import { AccessBook } from "./access-book.ts";
import { Admission } from "./admission.ts";
import { AuditBuffer } from "./audit-buffer.ts";
import { RateLimits } from "./rate-limits.ts";
import { addToken, grantRole, listTokens, revokeToken } from "./tokens.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

describeWithPostgres("a team's access", (server) => {
  async function openAccess() {
    const url = await server().createDatabase();
    const database = await TeamDatabase.open(url);
    const book = new AccessBook(database);
    const audit = new AuditBuffer(database, silentLogger);
    let now = new Date();
    const admission = new Admission({ book, audit, now: () => now });
    const add = (name: string, more: { days?: number; callsPerMinute?: number } = {}) =>
      addToken(database, { name, days: more.days, callsPerMinute: more.callsPerMinute ?? 600 }, "ana");
    return {
      url,
      database,
      book,
      audit,
      add,
      setClock: (date: Date) => {
        now = date;
      },
      async admit(token: string | undefined) {
        await book.refresh(NOW);
        const admitted = await admission.admit(token, "192.0.2.1");
        return "token" in admitted ? admitted.token.name : admitted.refused;
      },
      visible: async (name: string, role: "read" | "publish" | "admin" = "read") => {
        await book.refresh(NOW);
        const rows = await query(url, `SELECT id FROM contextful_team.tokens WHERE name = '${name}'`);
        const id = String(Object(rows[0]).id);
        return book.list(id, role).map((project) => project.name);
      },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  }

  test("a token is admitted by its text, and the database has only a hash of it", async () => {
    await using access = await openAccess();
    const text = await access.add("ana");
    expect(await access.admit(text)).toBe("ana");
    const [, , secret = ""] = text.split("_");
    const rows = JSON.stringify(await query(access.url, "SELECT * FROM contextful_team.tokens"));
    expect(rows).not.toContain(secret);
    expect(rows).not.toContain(Buffer.from(secret).toString("hex"));
  });

  test.each(["", "ctx_0000000000000000_", `ctx_0000000000000000_${"a".repeat(43)}`])(
    "a made-up token is refused: %s",
    async (text) => {
      await using access = await openAccess();
      expect(await access.admit(text)).toBe("unknown");
    },
  );

  test("the secret of one token does not open another", async () => {
    await using access = await openAccess();
    const [ana, ben] = [await access.add("ana"), await access.add("ben")];
    expect(await access.admit(ana.slice(0, 21) + ben.slice(21))).toBe("unknown");
  });

  test("a revoked token and an expired one are refused, also if they were used before", async () => {
    await using access = await openAccess();
    const [ana, ben] = [await access.add("ana", { days: 1 }), await access.add("ben")];
    expect([await access.admit(ana), await access.admit(ben)]).toEqual(["ana", "ben"]);
    await revokeToken(access.database, "ben", "ana");
    access.setClock(new Date(Date.now() + 2 * 86_400_000));
    expect([await access.admit(ana), await access.admit(ben)]).toEqual(["unknown", "unknown"]);
  });

  test("grants are for a project, a group or all, and each role includes the ones before it", async () => {
    await using access = await openAccess();
    const { database } = access;
    for (const [name, group] of [
      ["shop/api", "shop"],
      ["shop/web", "shop"],
      ["secret/plans", undefined],
    ] as const)
      await addProject(database, { url: `https://git.example.org/${name}.git`, group }, "ana");
    for (const name of ["one", "group", "all", "none"]) await access.add(name);
    await grantRole(database, { token: "one", role: "publish", project: "shop/web" }, "ana");
    // A group may have no projects yet, or a wrong name: the count tells.
    expect([
      await grantRole(database, { token: "group", role: "read", group: "shop" }, "ana"),
      await grantRole(database, { token: "all", role: "admin" }, "ana"),
      await grantRole(database, { token: "none", role: "read", group: "shpo" }, "ana"),
    ]).toEqual([
      { scope: "group shop", projects: 2 },
      { scope: "all", projects: 3 },
      { scope: "group shpo", projects: 0 },
    ]);
    expect(await access.visible("none")).toEqual([]);
    expect(await access.visible("one")).toEqual(["shop/web"]);
    expect(await access.visible("one", "admin")).toEqual([]);
    expect(await access.visible("group")).toEqual(["shop/api", "shop/web"]);
    expect(await access.visible("group", "publish")).toEqual([]);
    expect(await access.visible("all", "publish")).toEqual(["secret/plans", "shop/api", "shop/web"]);
    await grantRole(database, { token: "group", role: "none", group: "shop" }, "ana");
    expect(await access.visible("group")).toEqual([]);
  });

  test("a project that is removed and added again is another one: old grants are gone", async () => {
    await using access = await openAccess();
    const { database } = access;
    const url = "https://git.example.org/shop/api.git";
    await addProject(database, { url }, "ana");
    await access.add("ben");
    await grantRole(database, { token: "ben", role: "read", project: "shop/api" }, "ana");
    expect(await access.visible("ben")).toEqual(["shop/api"]);
    await removeProject(database, "shop/api", "ana");
    await addProject(database, { url }, "ana");
    expect(await access.visible("ben")).toEqual([]);
    expect((await listTokens(database))[0]?.grants).toEqual([]);
  });

  test("every write is in the audit table, and equal denials are one row with a count", async () => {
    await using access = await openAccess();
    await access.add("ben");
    await revokeToken(access.database, "ben", "ana");
    await expect(grantRole(access.database, { token: "nobody", role: "read" }, "ana")).rejects.toMatchObject({
      code: "not_found",
    });
    for (let times = 0; times < 3; times++) await access.admit("wrong");
    await access.audit.flush();
    const text = "SELECT actor, action, target, outcome, times FROM contextful_team.audit ORDER BY id";
    expect(await query(access.url, text)).toEqual([
      { actor: "ana", action: "tokens add", target: "ben", outcome: "done", times: 1 },
      { actor: "ana", action: "tokens revoke", target: "ben", outcome: "done", times: 1 },
      { actor: "unknown", action: "sign in", target: "", outcome: "denied", times: 3 },
    ]);
  });

  test("the last use of a token is recorded", async () => {
    await using access = await openAccess();
    const text = await access.add("ana");
    expect((await listTokens(access.database))[0]?.last_used_at).toBeNull();
    await access.admit(text);
    await access.audit.flush();
    expect((await listTokens(access.database))[0]?.last_used_at).toMatch(/^20\d\d-/);
  });

  test("a token that calls too often is told when to come back", async () => {
    await using access = await openAccess();
    const text = await access.add("ana", { callsPerMinute: 2 });
    access.setClock(NOW);
    const calls = [await access.admit(text), await access.admit(text), await access.admit(text)];
    expect(calls).toEqual(["ana", "ana", "too_many"]);
    access.setClock(new Date(NOW.getTime() + 30_000));
    expect(await access.admit(text)).toBe("ana");
  });

  test("tables are migrated once, and a newer schema is refused", async () => {
    const url = await server().createDatabase();
    const opened = await Promise.all(Array.from({ length: 5 }, () => TeamDatabase.open(url)));
    expect(await query(url, "SELECT version FROM contextful_team.schema_version")).toEqual([{ version: 4 }]);
    for (const database of opened) await database[Symbol.asyncDispose]();
    await query(url, "UPDATE contextful_team.schema_version SET version = 99");
    await expect(TeamDatabase.open(url)).rejects.toMatchObject({ reason: "newer_schema" });
  });
});

test("a limit lets its calls through at once and then one after another", () => {
  const limits = new RateLimits();
  const at = (now: number) => limits.take("ana", 60, now);
  expect(Array.from({ length: 61 }, () => at(0)).filter((wait) => wait === 0)).toHaveLength(60);
  expect(at(0)).toBe(1);
  expect([at(1_000), at(1_000)]).toEqual([0, 1]);
});
