import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", [...identity, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_GLOBAL: "/dev/null" },
  }).trim();

function repository(project: string, ...clone: string[]) {
  mkdirSync(project, { recursive: true });
  git(project, "init", "-q", ...clone);
  for (const text of ["one", "two", "three"]) {
    writeFileSync(join(project, "shop.ts"), `export const sumOfPrices = "${text}";\n`);
    git(project, "add", "-A");
    git(project, "commit", "-qm", text);
  }
}

const ODDITIES = [
  { name: "replace refs", make: (project: string) => void git(project, "replace", "HEAD~1", "HEAD~2") },
  {
    name: "grafts",
    make: (project: string) =>
      appendFileSync(join(project, ".git", "info", "grafts"), `${git(project, "rev-parse", "HEAD")}\n`),
  },
  {
    name: "alternates that are gone",
    make: (project: string) => {
      mkdirSync(join(project, ".git", "objects", "info"), { recursive: true });
      writeFileSync(join(project, ".git", "objects", "info", "alternates"), "/nowhere/objects\n");
    },
  },
  ...["--all", "-rf", "a..b", "@{-1}", "x;y", "über/ä", "$(id)", "a'b"].map((branch) => ({
    name: `a branch named ${branch}`,
    make: (project: string) => {
      // Some names are not valid for git's commands, but a file can have them.
      writeFileSync(join(project, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
    },
  })),
  { name: "a detached head", make: (project: string) => void git(project, "checkout", "-q", "HEAD~1") },
];

test.each(ODDITIES)("$name: index, pack and memory work or say why not", async ({ make }) => {
  using dir = tempDir();
  const project = join(dir.path, "project");
  repository(project);
  make(project);
  const run = async (...args: string[]) => {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [await builtBinary(), ...args], {
      cwd: project,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home") },
    });
    return { status, signal, text: `${stdout}${stderr}` };
  };
  const index = await run("code", "index", ".");
  const search = await run("code", "search", ".", "sumOfPrices");
  const pack = await run("pack", "sumOfPrices", "--diff", "HEAD~1..HEAD", "--budget", "2000");
  const add = await run("memory", "knowledge", "add", "key", "words");
  const push = await run("memory", "push");
  expect([index.status, search.text, add.status]).toEqual([0, expect.stringContaining("shop.ts"), 0]);
  for (const { signal, text } of [pack, push]) {
    expect([signal, text]).toEqual([null, expect.not.stringMatching(/ended by a bug|unhandled/)]);
  }
});
