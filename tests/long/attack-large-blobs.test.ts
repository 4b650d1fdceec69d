import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measuredRun } from "../support/child-usage.ts";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const GIGABYTE = 1024 ** 3;
const TABLE_LINES = 10_000_000;

/** A history in which a gigabyte comes and goes, and every line of a table of 150 MB changes. */
function project(root: string) {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root });
  const commit = (message: string) => {
    appendFileSync(join(root, "shop.ts"), `export function price${message.length}() {}\n`);
    git("add", "-A");
    git("commit", "-qm", message);
  };
  mkdirSync(join(root, "store"), { recursive: true });
  git("init", "-q", "-b", "main");
  writeFileSync(join(root, "contextful.toml"), '[connectors.commits.history]\nroot = "."\n');
  writeFileSync(join(root, ".gitignore"), "store/\n");
  commit("shop: the first prices of it");
  for (const value of [1, 2]) {
    writeFileSync(join(root, "table.ts"), `const a = [${value}];\n`.repeat(TABLE_LINES));
    commit(`table: every value of it is ${value === 1 ? "one" : "another"}`);
  }
  rmSync(join(root, "table.ts"));
  writeFileSync(join(root, "big.ts"), "export const big = 1;\n");
  truncateSync(join(root, "big.ts"), GIGABYTE);
  commit("big: a gigabyte in place of the whole table");
  return git;
}

test.skipIf(process.platform !== "linux")(
  "a gigabyte in the history of a project costs no command its memory",
  async () => {
    using dir = tempDir();
    const root = join(dir.path, "project");
    const git = project(root);
    const binary = await builtBinary();
    const env = {
      PATH: process.env["PATH"],
      HOME: dir.path,
      CONTEXTFUL_HOME: join(dir.path, "home"),
      GIT_CONFIG_GLOBAL: "/dev/null",
    };
    const run = async (...args: string[]) => {
      const { code, stdout, stderr, peakMb } = await measuredRun([binary, ...args], { cwd: root, env });
      process.stdout.write(`${args.slice(0, 2).join(" ")}: ${Math.round(peakMb)} MB\n`);
      expect([args, code, stderr, peakMb < 512]).toEqual([args, 0, stderr, true]);
      return stdout;
    };
    expect(await run("code", "index", ".")).toContain("big.ts: the file is too large to index");
    expect(await run("code", "publish", "--to", join(root, "store"))).toContain("blocks are new");
    git("rm", "-q", "big.ts");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "big: gone");
    for (const range of ["HEAD~1..HEAD", "HEAD~2..HEAD~1", "HEAD~3..HEAD~2", "HEAD~4..HEAD"]) {
      expect(await run("code", "impact", range)).not.toContain("table.ts");
      expect(await run("pack", "values", "--diff", range, "--budget", "2000")).toContain("in the range");
    }
    expect(await run("eval", "--commits", "5")).toContain("git grep");
    await run("documents", "sync", "all");
    expect(await run("documents", "search", "which commit put a gigabyte there")).toContain(
      "a gigabyte in place of",
    );
  },
);
