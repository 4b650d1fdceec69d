import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { acquireLock } from "../../src/core/lock/lock.ts";
import type { Driver } from "../../src/core/store/driver.ts";
import { DRIVERS } from "../../src/core/store/sqlite-driver.ts";
import { check, openStore } from "../../src/core/store/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const out = resolve("node_modules", ".cache", "contextful", `faults-${process.pid}`);
const worker = join(out, "fault-worker.mjs");
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hasStrace = has("strace", "-V");
const canMount = has("unshare", "-Urm", "true");

beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  await build({
    input: "tests/long/fault-worker.ts",
    platform: "node",
    external: [/^[^./]/],
    logLevel: "silent",
    output: { dir: out, format: "esm", entryFileNames: "[name].mjs" },
  });
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const drivers = Object.values(DRIVERS).flatMap((load) => load() ?? []);
const environment = ({ name }: Driver) => ({ ...process.env, CONTEXTFUL_SQLITE: name });
const start = (driver: Driver, ...args: string[]) =>
  spawn(process.execPath, [worker, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment(driver),
  });
const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((settle) => child.once("exit", () => settle()));
async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await ended(child);
}
const firstLine = (child: ChildProcess) =>
  new Promise<string>((settle, reject) => {
    if (!child.stdout) throw new Error("no stdout");
    createInterface(child.stdout)
      .once("line", settle)
      .once("close", () => reject(new Error("ended without a word")));
  });
const Mark = z.object({ mark: z.string(), halves: z.number() });

async function marksIn(file: string, driver: Driver) {
  using store = await openStore({
    file,
    driver,
    migrations: ["CREATE TABLE entry (writer TEXT, round INTEGER, half INTEGER)"],
  });
  check(store);
  const sql = "SELECT writer || ':' || round AS mark, count(*) AS halves FROM entry GROUP BY writer, round";
  return z.array(Mark).parse(store.prepare(sql).all());
}

describe.each(drivers)("with $name", (driver) => {
  test("1, 11: four writers killed again and again lose nothing they said was done, and leave nothing half done", async () => {
    using dir = tempDir();
    const file = join(dir.path, "s.db");
    const acknowledged = new Set<string>();
    for (let round = 0; round < 25; round++) {
      const children = Array.from({ length: 4 }, (_, index) => {
        const name = `${round}-${index}`;
        const child = start(driver, "write", file, name);
        const heard = new Promise<void>((settle) => {
          createInterface(child.stdout).on("line", (line) => {
            acknowledged.add(`${name}:${line}`);
            settle();
          });
        });
        return { child, heard };
      });
      await children[round % 4]?.heard;
      await Promise.all(children.map(({ child }) => kill(child)));
    }
    const found = await marksIn(file, driver);
    expect(found.filter(({ halves }) => halves !== 2)).toEqual([]);
    const marks = new Set(found.map(({ mark }) => mark));
    expect([...acknowledged].filter((mark) => !marks.has(mark))).toEqual([]);
  });

  test.skipIf(!hasStrace)(
    "2, 3: a process killed at any write or sync of a migration leaves one version or the next",
    async () => {
      for (let nth = 1; nth < 60; nth += 4) {
        using dir = tempDir();
        const file = join(dir.path, "s.db");
        (
          await openStore({
            file,
            driver,
            migrations: ["CREATE TABLE entry (writer TEXT, round INTEGER, half INTEGER)"],
          })
        ).close();
        const inject = [
          "-f",
          "-qq",
          "-o",
          "/dev/null",
          "-P",
          file,
          "-P",
          driver.hasWal ? `${file}-wal` : `${file}-journal`,
          "-e",
          `inject=pwrite64,fsync,fdatasync:signal=KILL:when=${nth}`,
        ];
        spawnSync("strace", [...inject, process.execPath, worker, "migrate", file], {
          env: environment(driver),
        });
        spawnSync(process.execPath, [worker, "migrate", file], { env: environment(driver) });
        const whole = Array.from({ length: 21 }, () => "SELECT 1");
        using store = await openStore({ file, driver, migrations: whole });
        check(store);
        expect(store.prepare("SELECT round FROM entry ORDER BY round").all()).toHaveLength(20);
      }
    },
  );

  test.skipIf(!canMount)("5: a full disk is named, reads go on, and the file stays sound", () => {
    using dir = tempDir();
    const script = `mount -t tmpfs -o size=2m none '${dir.path}' && '${process.execPath}' '${worker}' fill '${dir.path}/s.db'`;
    const { stdout } = spawnSync("unshare", ["-Urm", "sh", "-c", script], { env: environment(driver) });
    expect(JSON.parse(stdout.toString())).toEqual({ code: "disk_full", row: { readable: 1 } });
  });

  test("12, 14: when the holder of a lock is killed, one of those who wait gets it", async () => {
    using dir = tempDir();
    const holder = start(driver, "hold", dir.path, "first");
    await firstLine(holder);
    const waiters = Array.from({ length: 7 }, (_, index) => start(driver, "hold", dir.path, `w${index}`));
    try {
      const got = waiters.map((child, index) =>
        firstLine(child).then(
          () => index,
          () => -1,
        ),
      );
      await kill(holder);
      const winner = await Promise.race(got);
      expect(winner).toBeGreaterThanOrEqual(0);
    } finally {
      await Promise.all(waiters.map(kill));
    }
  });

  test("13: a holder that is stopped keeps its lock", async () => {
    using dir = tempDir();
    const holder = start(driver, "hold", dir.path, "asleep");
    await firstLine(holder);
    holder.kill("SIGSTOP");
    const options = { directory: dir.path, name: "index", purpose: "other", waitMs: 300 };
    await expect(acquireLock(options)).rejects.toThrow(`process ${holder.pid} (asleep)`);
    holder.kill("SIGCONT");
    await kill(holder);
    (await acquireLock(options)).release();
  });
});

test.skipIf(!hasStrace)(
  "2, 6: an atomic write killed or failing at any step leaves the old text or the new",
  async () => {
    for (const fault of ["signal=KILL", "error=ENOSPC", "error=EIO"]) {
      for (const call of ["write,pwrite64", "fsync", "rename"]) {
        using dir = tempDir();
        const file = join(dir.path, "user.txt");
        writeFileSync(file, "old");
        const inject = [
          "-f",
          "-qq",
          "-o",
          "/dev/null",
          "-e",
          `trace=${call}`,
          "-e",
          `inject=${call}:${fault}`,
        ];
        // Only what touches the directory: Node itself writes elsewhere.
        const only = call === "rename" ? [] : ["-P", dir.path];
        spawnSync("strace", [...inject, ...only, process.execPath, worker, "atomic", file, "new"]);
        expect(["old", "new".repeat(100_000)]).toContain(readFileSync(file, "utf8"));
        if (fault !== "signal=KILL") expect(readdirSync(dir.path)).toEqual(["user.txt"]);
      }
    }
  },
);
