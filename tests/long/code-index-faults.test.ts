import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { DRIVERS } from "../../src/core/store/sqlite-driver.ts";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

function writeProject(root: string, files: number): void {
  mkdirSync(root, { recursive: true });
  for (let at = 0; at < files; at++) {
    const functions = Array.from(
      { length: 40 },
      (_, place) =>
        `// F${at}x${place} computes number ${place}.\nfunc F${at}x${place}(a int) int {\n\treturn a * ${place}\n}\n`,
    );
    writeFileSync(join(root, `file${at}.go`), `package p\n\n${functions.join("\n")}`);
  }
}

const drivers = Object.entries(DRIVERS).flatMap(([name, load]) => (load() === undefined ? [] : [name]));
let driver = "";
const environment = (home: string) => ({
  ...process.env,
  CONTEXTFUL_HOME: home,
  ...(driver && { CONTEXTFUL_SQLITE: driver }),
});
const start = (binary: string, home: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [binary, "code", ...args, "--json"], {
    env: environment(home),
    stdio: ["ignore", "pipe", "pipe"],
  });

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
const ended = (child: ChildProcess) =>
  new Promise<Ended>((resolve) => {
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });

describe.each(drivers)("with %s", (name) => {
  beforeAll(() => {
    driver = name;
  });

  test.each(["SIGKILL", "SIGINT"] as const)(
    "ended by %s at any instant, the index is the old one or the new one, and the next run completes it",
    async (signal) => {
      using directory = tempDir();
      const home = join(directory.path, "home");
      const project = join(directory.path, "project");
      const binary = await builtBinary();
      writeProject(project, 300);
      const json = (...args: string[]): unknown =>
        JSON.parse(
          execFileSync(process.execPath, [binary, "code", ...args, "--json"], {
            env: environment(home),
            encoding: "utf8",
          }),
        );
      for (let round = 0; round < 8; round++) {
        const child = start(binary, home, ["index", project, ...(round % 2 ? ["--force"] : [])]);
        const done = ended(child);
        const timer = setTimeout(() => child.kill(signal), 150 + round * 170);
        const { code } = await done;
        clearTimeout(timer);
        // 130 is what a shell expects of an interrupted program; killed, or not yet listening, it has no say.
        expect([0, null, ...(signal === "SIGINT" ? [130] : [])]).toContain(code);
        const status = json("status", project) as {
          indexed: boolean;
          statistics: { total_files: number } | null;
        };
        expect(status.indexed ? status.statistics?.total_files : 0).toBe(status.indexed ? 300 : 0);
      }
      expect(json("index", project)).toMatchObject({ success: true });
      expect(json("status", project)).toMatchObject({
        indexed: true,
        statistics: { total_files: 300, total_symbols: 12_000 },
      });
      expect(json("search", project, "F299x39", "--mode", "keyword", "--limit", "1")).toMatchObject({
        results: [{ symbol: { name: "F299x39" } }],
      });
    },
  );

  test("eight processes index and search one project: one indexes at a time, every search is whole", async () => {
    using directory = tempDir();
    const home = join(directory.path, "home");
    const project = join(directory.path, "project");
    const binary = await builtBinary();
    writeProject(project, 60);
    expect((await ended(start(binary, home, ["index", project]))).code).toBe(0);
    for (let round = 0; round < 3; round++) {
      writeFileSync(
        join(project, "changing.go"),
        `package p\n\n// Changing is number ${round}.\nfunc Changing() {}\n`,
      );
      const indexing = [1, 2, 3].map(() => ended(start(binary, home, ["index", project, "--force"])));
      const searching = [1, 2, 3, 4, 5].map(() =>
        ended(start(binary, home, ["search", project, "F17x3", "--mode", "keyword", "--limit", "1"])),
      );
      const runs = await Promise.all(indexing);
      expect(runs.some(({ code }) => code === 0)).toBe(true);
      for (const { code, stderr } of runs) expect(code === 0 || /already under way/.test(stderr)).toBe(true);
      for (const { stdout } of await Promise.all(searching)) {
        expect(JSON.parse(stdout)).toMatchObject({ results: [{ symbol: { name: "F17x3" } }] });
      }
    }
  });
});

test("a line of fifty megabytes is passed over and told", async () => {
  using directory = tempDir();
  const project = join(directory.path, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.go"), "package p\n\nfunc A() {}\n");
  writeFileSync(join(project, "monster.go"), `package p\n\nvar x = "${"y".repeat(50_000_000)}"\n`);
  writeFileSync(join(project, "monster.txt"), "z".repeat(50_000_000));
  const { stdout } = await ended(
    start(await builtBinary(), join(directory.path, "home"), ["index", project]),
  );
  expect(JSON.parse(stdout)).toMatchObject({
    statistics: { files_indexed: 1, files_failed: 1 },
    errors: [{ file: "monster.go", error: "the file is too large to index" }],
  });
});
