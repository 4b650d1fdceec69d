import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A small disk of our own; `undefined` if this user may not mount one. */
const dir = tempDir();
const disk = join(dir.path, "disk");
mkdirSync(disk);
const mount = (...options: string[]) => spawnSync("mount", [...options, disk]).status === 0;
const isMounted = mount("-t", "tmpfs", "-o", "size=24m", "tmpfs");

const project = join(dir.path, "project");
const home = join(disk, "home");
const run = (...args: string[]) => runWith(home, ...args);
const runWith = async (data: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [await builtBinary(), ...args], {
    cwd: project,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: dir.path, CONTEXTFUL_HOME: data },
  });
  return { status, stdout, stderr };
};

/** Commands that only read, and a word of their answers. */
const READS = [
  { args: ["code", "search", ".", "sumOfPrices"], expected: "sumOfPrices" },
  { args: ["documents", "search", "refund"], expected: "refund" },
  { args: ["pack", "sumOfPrices", "--budget", "2000"], expected: "sumOfPrices" },
];

describe.skipIf(!isMounted)("a disk that takes no writes", () => {
  beforeAll(async () => {
    mkdirSync(join(project, "docs"), { recursive: true });
    writeFileSync(
      join(project, "contextful.toml"),
      '[connectors.filesystem.docs]\nroot = "docs"\ninclude = ["**/*.md"]\n',
    );
    writeFileSync(join(project, "docs", "a.md"), "# Policy\n\nA refund takes three days.\n");
    writeFileSync(
      join(project, "shop.ts"),
      "export function sumOfPrices(a: number[]) { return a.length; }\n",
    );
    expect((await run("code", "index", ".")).status).toBe(0);
    expect((await run("documents", "sync", "all")).status).toBe(0);
  });
  afterAll(() => {
    spawnSync("umount", [disk]);
    dir[Symbol.dispose]();
  });

  test.each(READS)("reads go on if it is full: $args", async ({ args, expected }) => {
    const filler = fillDisk();
    const { status, stdout, stderr } = await run(...args);
    rmSync(filler);
    expect({ status, found: stdout.includes(expected), stderr }).toEqual({
      status: 0,
      found: true,
      stderr: expect.not.stringMatching(/cannot|Cannot/),
    });
  });

  test("a pack of a project never seen is made if it is full, and the cause is said", async () => {
    const filler = fillDisk();
    const { status, stdout, stderr } = await runWith(join(disk, "new"), "pack", "sumOfPrices");
    rmSync(filler);
    expect({ status, found: stdout.includes("sumOfPrices"), stderr }).toEqual({
      status: 0,
      found: true,
      stderr: expect.stringContaining("The disk is full."),
    });
    expect(stderr).not.toContain(disk);
  });

  test("a write to a full disk names the cause, and works when there is space", async () => {
    writeFileSync(join(project, "docs", "b.md"), `${"Another refund. ".repeat(20_000)}\n`);
    const filler = fillDisk();
    const full = await run("documents", "sync", "all");
    rmSync(filler);
    expect([full.status === 0, `${full.stdout}${full.stderr}`]).toEqual([
      false,
      expect.stringContaining("The disk is full."),
    ]);
    expect((await run("documents", "sync", "all")).status).toBe(0);
  });

  test.each(READS)("reads go on if it is read-only: $args", async ({ args, expected }) => {
    expect(mount("-o", "remount,ro")).toBe(true);
    const { status, stdout } = await run(...args);
    expect(mount("-o", "remount,rw")).toBe(true);
    expect({ status, found: stdout.includes(expected) }).toEqual({ status: 0, found: true });
  });

  test("a write to a read-only disk names the cause", async () => {
    expect(mount("-o", "remount,ro")).toBe(true);
    const { status, stdout, stderr } = await run("documents", "sync", "all");
    expect(mount("-o", "remount,rw")).toBe(true);
    expect([status === 0, `${stdout}${stderr}`]).toEqual([false, expect.stringMatching(/read-only|EROFS/)]);
  });
});

/** Leaves no free block. Returns the file that takes the space. */
function fillDisk(): string {
  const filler = join(disk, "filler");
  writeFileSync(filler, "");
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    while (append(filler, size));
  }
  expect(statfsSync(disk).bavail).toBe(0);
  return filler;
}

function append(file: string, size: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    return true;
  } catch {
    return false;
  }
}
