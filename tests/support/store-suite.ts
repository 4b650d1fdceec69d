import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Driver, SqlValue } from "../../src/core/store/driver.ts";
import { openOrRebuild } from "../../src/core/store/rebuild.ts";
import { openStore } from "../../src/core/store/store.ts";
import { tempDir } from "./temp-dir.ts";

const MIGRATIONS = [
  "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
  "ALTER TABLE note ADD COLUMN bytes BLOB; CREATE INDEX note_text ON note (text)",
  "CREATE VIRTUAL TABLE note_words USING fts5 (text)",
];

/** The tests that every SQLite driver must pass. */
export function storeSuite(name: string, driver: Driver | undefined): void {
  describe.skipIf(driver === undefined)(`the store on ${name}`, () => {
    const open = (file: string, extra: { migrations?: readonly string[]; readOnly?: boolean } = {}) =>
      openStore({ file, migrations: MIGRATIONS, ...(driver && { driver }), ...extra });

    test("values of every type come back as they were", async () => {
      using dir = tempDir();
      using store = await open(join(dir.path, "s.db"));
      const { changes } = store
        .prepare("INSERT INTO note (text, bytes) VALUES (?, ?)")
        .run("naïve \u{1f600}", new Uint8Array([0, 255]));
      const row = store
        .prepare("SELECT id, text, hex(bytes) AS bytes, NULL AS none, 1.5 AS real FROM note")
        .get();
      expect([changes, { ...(row ?? {}) }]).toEqual([
        1,
        { id: 1, text: "naïve \u{1f600}", bytes: "00FF", none: null, real: 1.5 },
      ]);
    });

    test("a database that nobody writes is read, and no file is created beside it", async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      const written = await open(file);
      written.prepare("INSERT INTO note (text) VALUES (?)").run("kept");
      written.close();
      const before = readdirSync(dir.path);
      const connection = driver?.openImmutable(file);
      const rows = connection?.prepare("SELECT text FROM note").all();
      const beside = readdirSync(dir.path);
      connection?.close();
      expect([JSON.stringify(rows), beside]).toEqual(['[{"text":"kept"}]', before]);
    });

    test("a wrong bind is an error, and the connection works on", async () => {
      using dir = tempDir();
      using store = await open(join(dir.path, "s.db"));
      for (const json of ["[true]", "[{}]", "[[1]]", "[1, 2, 3]"]) {
        const values: SqlValue[] = JSON.parse(json);
        expect(() => store.prepare("SELECT ? AS x").get(...values)).toThrow();
      }
      expect(() => store.prepare("SELECT nonsense FROM nowhere")).toThrow(/no such table/);
      expect(store.prepare("SELECT 1 AS x").all()).toHaveLength(1);
    });

    test("a transaction is committed whole or not at all, and an inner one joins the outer one", async () => {
      using dir = tempDir();
      using store = await open(join(dir.path, "s.db"));
      const insert = (text: string) => store.prepare("INSERT INTO note (text) VALUES (?)").run(text);
      store.transaction(() => {
        insert("a");
        store.transaction(() => insert("b"));
      });
      expect(() =>
        store.transaction(() => {
          insert("c");
          throw new Error("stop");
        }),
      ).toThrow("stop");
      const texts = () =>
        [...store.prepare("SELECT text FROM note ORDER BY id").iterate()].map((row) => JSON.stringify(row));
      expect(store.snapshot(texts)).toEqual(['{"text":"a"}', '{"text":"b"}']);
    });

    test.each(MIGRATIONS.map((_, index) => index))(
      "a file of version %i is migrated, once",
      async (version) => {
        using dir = tempDir();
        const file = join(dir.path, "s.db");
        (await open(file, { migrations: MIGRATIONS.slice(0, version) })).close();
        (await open(file)).close();
        using store = await open(file);
        expect(JSON.stringify(store.prepare("PRAGMA user_version").get())).toBe('{"user_version":3}');
        expect(store.prepare("SELECT bytes FROM note").all()).toEqual([]);
      },
    );

    test("a migration that fails leaves the version before it", async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      const broken = [...MIGRATIONS.slice(0, 1), "CREATE TABLE half (x); SELECT * FROM nowhere"];
      await expect(open(file, { migrations: broken })).rejects.toThrow();
      using store = await open(file, { migrations: MIGRATIONS.slice(0, 1) });
      expect(store.prepare("SELECT name FROM sqlite_master WHERE name = 'half'").all()).toEqual([]);
    });

    test("a file written by a newer version is refused and not changed", async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      (await open(file)).close();
      const older = { migrations: MIGRATIONS.slice(0, 1) };
      await expect(open(file, older)).rejects.toMatchObject({ code: "conflict" });
      await expect(open(file, { ...older, readOnly: true })).rejects.toMatchObject({ code: "conflict" });
      (await open(file)).close();
    });

    test("a reader creates nothing, migrates nothing, writes nothing, and sees what is committed", async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      await expect(open(file, { readOnly: true })).rejects.toMatchObject({ code: "not_found" });
      expect(readdirSync(dir.path)).toEqual([]);
      (await open(file, { migrations: MIGRATIONS.slice(0, 1) })).close();
      await expect(open(file, { readOnly: true })).rejects.toMatchObject({ code: "not_found" });
      using writer = await open(file);
      using reader = await open(file, { readOnly: true });
      const count = () => JSON.stringify(reader.prepare("SELECT count(*) AS n FROM note").get());
      const during = writer.transaction(() => {
        writer.exec("INSERT INTO note (text) VALUES ('x')");
        return count();
      });
      expect([during, count()]).toEqual(['{"n":0}', '{"n":1}']);
      expect(() => reader.exec("DELETE FROM note")).toThrow(expect.objectContaining({ code: "unavailable" }));
    });

    test("only the user can read the files, whatever the umask", async () => {
      using dir = tempDir();
      const before = process.umask(0);
      try {
        using store = await open(join(dir.path, "deep", "s.db"));
        store.exec("INSERT INTO note (text) VALUES ('x')");
        const mode = (path: string) => (statSync(join(dir.path, path)).mode & 0o777).toString(8);
        const files = readdirSync(join(dir.path, "deep")).map((name) => mode(`deep/${name}`));
        expect([mode("deep"), [...new Set(files)]]).toEqual(["700", ["600"]]);
      } finally {
        process.umask(before);
      }
    });

    test.each([
      ["is not a database", (file: string) => writeFileSync(file, "x".repeat(5000))],
      ["is cut in half", (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
      ["has a broken header", (file: string) => writeFileSync(file, Buffer.alloc(100, 7), { flag: "r+" })],
      [
        "has broken pages and was not closed",
        (file: string) => {
          writeFileSync(file, readFileSync(file).fill(9, 4096));
          writeFileSync(driver?.hasWal ? `${file}-wal` : `${file}-journal`, driver?.hasWal ? "" : "x");
        },
      ],
    ])("a cache that %s is set aside and rebuilt", async (_case, damage) => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      const first = await open(file);
      first.transaction(() => {
        for (let index = 0; index < 500; index++)
          first.prepare("INSERT INTO note (text) VALUES (?)").run(`note ${index}`);
      });
      first.close();
      damage(file);
      const warnings: string[] = [];
      const logger = { info: () => {}, warn: (line: string) => void warnings.push(line), error: () => {} };
      using store = await openOrRebuild({ file, migrations: MIGRATIONS, logger, ...(driver && { driver }) });
      expect(JSON.stringify(store.prepare("SELECT count(*) AS n FROM note").get())).toBe('{"n":0}');
      expect(warnings).toEqual([expect.stringContaining("s.db.damaged-1 and rebuilt")]);
      expect(existsSync(`${file}.damaged-1`)).toBe(true);
    });

    test("an undamaged cache is kept, also after an unclean end", async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      using crashed = await open(file);
      crashed.exec("INSERT INTO note (text) VALUES ('kept')");
      const logger = { info: () => {}, warn: () => expect.unreachable(), error: () => {} };
      using store = await openOrRebuild({ file, migrations: MIGRATIONS, logger, ...(driver && { driver }) });
      expect(store.prepare("SELECT text FROM note").all()).toHaveLength(1);
    });

    test("a directory that cannot be written says what to do", async () => {
      using dir = tempDir();
      writeFileSync(join(dir.path, "file"), "");
      chmodSync(join(dir.path, "file"), 0o400);
      await expect(open(join(dir.path, "file", "s.db"))).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("CONTEXTFUL_HOME"),
      });
    });
  });
}
