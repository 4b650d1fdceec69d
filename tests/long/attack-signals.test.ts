import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { measuredRun, signalledRun } from "../support/child-usage.ts";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Each command is signalled after so much processor time: long enough to be at work, shorter than its work takes. */
const COMMANDS = [
  { name: "code index", args: ["code", "index", "."], workedMs: 600, code: 130 },
  { name: "code watch", args: ["code", "watch", "."], workedMs: 600, code: 0 },
  { name: "directories init", args: ["directories", "init"], workedMs: 350, code: 130 },
  {
    name: "caches build",
    args: ["caches", "build", "--sources", "docs", "--cache", "cache"],
    workedMs: 300,
    code: 130,
  },
  { name: "documents sync", args: ["documents", "sync", "all"], workedMs: 600, code: 130 },
  { name: "memory push", args: ["memory", "push"], workedMs: 200, code: 130 },
  { name: "memory pull", args: ["memory", "pull"], workedMs: 150, code: 130 },
  { name: "pack", args: ["pack", "handle requests", "--budget", "4000"], workedMs: 400, code: 130 },
  { name: "eval", args: ["eval", "--commits", "20"], workedMs: 600, code: 130 },
  { name: "setup", args: ["setup", "--yes"], workedMs: 150, code: 130 },
  { name: "serve", args: ["serve", "--port", "0"], workedMs: 250, code: 0 },
  { name: "start", args: ["start", "--port", "0"], workedMs: 600, code: 0 },
  { name: "mcp", args: ["mcp"], workedMs: 100, code: 0 },
] as const;

const dir = tempDir();
afterAll(() => dir[Symbol.dispose]());

/** Large enough that every command has work to do for a while. */
function template(): string {
  const root = join(dir.path, "template");
  const project = join(root, "project");
  for (const folder of ["docs", ".context-teleport/knowledge", "src"])
    mkdirSync(join(project, folder), { recursive: true });
  const remote = join(root, "remote.git");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: project });
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", remote]);
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", "../remote.git");
  writeFileSync(
    join(project, "contextful.toml"),
    '[connectors.filesystem.d]\nroot = "docs"\ninclude = ["**/*"]\n',
  );
  for (let at = 0; at < 400; at += 1) {
    const lines = Array.from(
      { length: 40 },
      (_, n) => `/** Handles requests ${n}. */\nexport function handle${at}x${n}() {}\n`,
    );
    mkdirSync(join(project, "src", `d${at % 40}`), { recursive: true });
    writeFileSync(join(project, "src", `d${at % 40}`, `f${at}.ts`), lines.join(""));
    writeFileSync(join(project, "docs", `d${at}.md`), `# Title ${at}\n\n${`Words of ${at}. `.repeat(400)}\n`);
  }
  git("add", "-A");
  git("commit", "-qm", "one");
  for (let at = 0; at < 25; at += 1) {
    writeFileSync(join(project, "src", "d1", "f1.ts"), `export const handled = ${at};\n`);
    git("commit", "-qam", `handle requests of kind ${at}`);
  }
  git("push", "-q", "-u", "origin", "main");
  for (let at = 0; at < 300; at += 1)
    writeFileSync(join(project, ".context-teleport", "knowledge", `k${at}.md`), `Entry ${at}\n`);
  return root;
}
const root = process.platform === "linux" ? template() : "";

test.skipIf(process.platform !== "linux").each(COMMANDS)(
  "SIGTERM ends $name within a second, and it can be repeated",
  async ({ args, workedMs, code }) => {
    const place = join(dir.path, "run", args.join("-").replaceAll(/\W/g, "-"));
    cpSync(root, place, { recursive: true });
    const options = {
      cwd: join(place, "project"),
      env: {
        PATH: process.env["PATH"],
        HOME: place,
        CONTEXTFUL_HOME: join(place, "home"),
        GIT_CONFIG_GLOBAL: "/dev/null",
      },
    };
    const binary = await builtBinary();
    const ended = await signalledRun([binary, ...args], { ...options, workedMs });
    expect([ended.code, ended.cpuMsAfter !== undefined && ended.cpuMsAfter < 1_000]).toEqual([code, true]);
    // No lock is left, and nothing is half done.
    const next = await measuredRun([binary, "memory", "knowledge", "add", "after", "words"], options);
    expect([next.code, next.stderr]).toEqual([0, ""]);
  },
);
