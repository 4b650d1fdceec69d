import { cpSync, existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeOld } from "../../../tests/support/damaged-index.ts";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { hasChecksum } from "./checked-file.ts";
import { DRIVERS } from "./sqlite-driver.ts";
import { openStore } from "./store.ts";

const MIGRATIONS = ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"];
const TEXTS = Array.from({ length: 300 }, (_, at) => `note ${at} ${"word ".repeat(at % 60)}`);

describe.each(Object.entries(DRIVERS))("a checked database on %s", (_name, load) => {
  const driver = load();
  const open = (file: string, readOnly = false) =>
    openStore({ file, migrations: MIGRATIONS, isChecked: true, readOnly, ...(driver && { driver }) });
  const fill = async (file: string, texts = TEXTS) => {
    using store = await open(file);
    const insert = store.prepare("INSERT INTO note (text) VALUES (?)");
    store.transaction(() => texts.forEach((text) => void insert.run(text)));
  };
  const rows = async (file: string) => {
    using store = await open(file, true);
    return store.prepare("SELECT text FROM note ORDER BY id").all().length;
  };

  test.skipIf(!driver)("any flipped bit is noticed by the next reader and the next writer", async () => {
    using dir = tempDir();
    const file = join(dir.path, "s.db");
    await fill(file);
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 97) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at & 7));
      writeFileSync(file, flipped);
      makeOld(`${file}-sum`);
      await expect(open(file, true)).rejects.toMatchObject({ reason: "damaged" });
      await expect(open(file)).rejects.toMatchObject({ reason: "damaged" });
    }
    writeFileSync(file, whole);
    expect(await rows(file)).toBe(TEXTS.length);
  });

  test.skipIf(!driver)("one that was compared within the last hour is not read again", async () => {
    using dir = tempDir();
    const file = join(dir.path, "s.db");
    await fill(file);
    makeOld(`${file}-sum`);
    await rows(file);
    const bytes = readFileSync(file);
    bytes.write("NOTE", bytes.indexOf("note 200"));
    writeFileSync(file, bytes);
    expect(await rows(file)).toBe(TEXTS.length);
    makeOld(`${file}-sum`);
    await expect(rows(file)).rejects.toMatchObject({ reason: "damaged" });
  });

  test.skipIf(!driver?.hasWal)(
    "one that nobody has written since is not read again to be sealed",
    async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      await fill(file);
      const sealed = () => statSync(`${file}-sum`).ino;
      const before = sealed();
      // With a second name, the number of the file is not given to the next one.
      linkSync(`${file}-sum`, join(dir.path, "kept"));
      using store = await open(file);
      store.checkpoint();
      expect(sealed()).toBe(before);
      store.prepare("DELETE FROM note").run();
      store.checkpoint();
      expect(sealed()).not.toBe(before);
    },
  );

  test.skipIf(!driver)(
    "what several connections write, with long logs, is not taken for damage",
    async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      await fill(file);
      const reader = await open(file, true);
      const first = await open(file);
      const second = await open(file);
      for (let round = 0; round < 8; round += 1) {
        const store = round % 2 === 0 ? first : second;
        store.transaction(() =>
          store.prepare("INSERT INTO note (text) VALUES (?)").run("x".repeat(1_500_000)),
        );
        store.prepare("INSERT INTO note (text) VALUES (?)").run("outside a transaction");
      }
      reader.close();
      first.close();
      second.close();
      expect([hasChecksum(file), await rows(file)]).toEqual([true, TEXTS.length + 16]);
      expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
    },
  );

  test.skipIf(!driver?.hasWal)(
    "a long log is copied after the change, by a connection that stays open for it until the others end",
    async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      await fill(file);
      const before = readFileSync(`${file}-sum`, "utf8");
      const [reader, writer] = [await open(file, true), await open(file)];
      const insert = writer.prepare("INSERT INTO note (text) VALUES (?)");
      writer.transaction(() => void insert.run("x".repeat(5_000_000)));
      writer.close();
      const state = () => [
        statSync(`${file}-wal`).size > 5_000_000,
        readFileSync(`${file}-sum`, "utf8") === before,
      ];
      expect(state()).toEqual([true, true]);
      const next = await open(file);
      next.close();
      expect(state()).toEqual([true, true]);
      reader.close();
      expect([existsSync(`${file}-wal`), hasChecksum(file), await rows(file)]).toEqual([
        false,
        true,
        TEXTS.length + 1,
      ]);
      expect(readFileSync(`${file}-sum`, "utf8")).not.toBe(before);
    },
  );

  test.skipIf(!driver)(
    "one whose writer was killed is read, and the next writer makes the checksum",
    async () => {
      using dir = tempDir();
      const [file, copy] = [join(dir.path, "s.db"), join(dir.path, "copy.db")];
      await fill(file);
      const killed = await open(file);
      killed.prepare("INSERT INTO note (text) VALUES (?)").run("last words");
      for (const part of ["", "-wal", "-sum"]) {
        if (existsSync(`${file}${part}`)) cpSync(`${file}${part}`, `${copy}${part}`);
      }
      killed.close();
      expect(await rows(copy)).toBe(TEXTS.length + 1);
      rmSync(`${copy}-sum`, { force: true });
      (await open(copy)).close();
      expect([hasChecksum(copy), await rows(copy)]).toEqual([true, TEXTS.length + 1]);
    },
  );

  test.skipIf(!driver)("without a checksum, a file that SQLite finds damaged is not sealed", async () => {
    using dir = tempDir();
    const file = join(dir.path, "s.db");
    await fill(file);
    const bytes = readFileSync(file);
    // The number of cells on the table's first page, which is the second of the file.
    bytes.writeUInt16BE(9_999, bytes.readUInt16BE(16) + 3);
    writeFileSync(file, bytes);
    rmSync(`${file}-sum`);
    await expect(open(file)).rejects.toMatchObject({ reason: "damaged" });
    expect(hasChecksum(file)).toBe(false);
  });

  test.skipIf(!driver?.hasWal || process.platform !== "linux")(
    "opening it again keeps SQLite's locks",
    async () => {
      using dir = tempDir();
      const file = join(dir.path, "s.db");
      await fill(file);
      using store = await open(file);
      store.prepare("SELECT count(*) FROM note").get();
      const before = locksOn(file);
      (await open(file, true)).close();
      expect([before.length, locksOn(file)]).toEqual([1, before]);
    },
  );
});

/** The locks on a file, as the kernel lists them. */
const locksOn = (file: string) =>
  readFileSync("/proc/locks", "utf8")
    .split("\n")
    .filter((line) => line.includes(`:${statSync(file).ino} `))
    .map((line) => line.replace(/^\d+: /, ""));
