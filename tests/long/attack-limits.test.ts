import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blobId } from "../../src/core/git/blob-id.ts";
import { builtBinary } from "../support/dist.ts";
import { type Clone, makeTeam } from "../support/git-team.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Entries that a teammate pushes at once. */
const ENTRIES = Number(process.env["ATTACK_ENTRIES"] ?? 100_000);
const STORE = ".context-teleport";

async function runner(cwd: string, home: string) {
  const binary = await builtBinary();
  return (args: readonly string[], { heap, virtual }: { heap?: number; virtual?: number } = {}) => {
    const node = [process.execPath, ...(heap ? [`--max-old-space-size=${heap}`] : []), binary, ...args];
    const limited = ["bash", "-c", `ulimit -v ${virtual}; exec "$@"`, "bash", ...node];
    const [command = "", ...rest] = virtual ? limited : node;
    const { status, signal, stdout, stderr } = spawnSync(command, rest, {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home, CONTEXTFUL_HOME: join(home, "data") },
    });
    return { status, signal, text: `${stdout}${stderr}` };
  };
}

const LIMITS = [{ heap: 12 }, { heap: 24 }, { heap: 48 }, { virtual: 700_000 }, { virtual: 1_500_000 }];

test.skipIf(process.platform !== "linux").each(LIMITS)(
  "with little memory (%o) a command works or says that memory ran out, and nothing is lost",
  async (limit) => {
    using dir = tempDir();
    const project = join(dir.path, "project");
    mkdirSync(join(project, "docs"), { recursive: true });
    writeFileSync(
      join(project, "contextful.toml"),
      '[connectors.filesystem.d]\nroot = "docs"\ninclude = ["**/*"]\n',
    );
    execFileSync("git", ["init", "-q", project]);
    for (let at = 0; at < 400; at += 1) {
      writeFileSync(
        join(project, `f${at}.ts`),
        `export function handle${at}() { return ${at}; }\n`.repeat(40),
      );
      writeFileSync(join(project, "docs", `d${at}.md`), `# Title ${at}\n\n${"words ".repeat(500)}\n`);
    }
    const run = await runner(project, dir.path);
    expect(run(["memory", "knowledge", "add", "kept", "first words"]).status).toBe(0);
    for (const args of [
      ["code", "index", "."],
      ["documents", "sync", "all"],
      ["memory", "knowledge", "add", "kept", "other words"],
      ["caches", "build", "--force", "--sources", "docs", "--cache", "cache"],
    ]) {
      const short = run(args, limit);
      if (short.status !== 0) expect(short.text).toMatch(/memory/i);
      const again = run(args);
      expect([args, again.status, again.text]).toEqual([args, 0, again.text]);
    }
    expect(run(["memory", "knowledge", "get", "kept"]).text).toBe("other words\n");
    expect(run(["code", "search", ".", "handle7"]).text).toContain("f7.ts");
  },
);

test(`${ENTRIES} entries from a teammate are pulled, or refused with a reason, and reads go on`, async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  clone.write(`${STORE}/knowledge/mine.md`, "my words\n");
  const run = await runner(clone.path, team.home);
  expect(run(["memory", "push"]).status).toBe(0);
  pushEntries(team.remote, ENTRIES);
  const pull = run(["memory", "pull"]);
  expect([pull.signal, pull.text]).toEqual([
    null,
    expect.not.stringMatching(/ended by a bug|unhandled|Something went wrong/),
  ]);
  expect(run(["memory", "knowledge", "get", "mine"])).toMatchObject({ status: 0, text: "my words\n" });
  expect(run(["memory", "knowledge", "add", "later", "words"]).status).toBe(0);
  if (pull.status === 0) expect(run(["memory", "search", "prices"]).text).toContain("about prices");
});

/** Through an index: fast-import takes quadratic time for many files in one directory. */
function pushEntries(remote: Clone, count: number): void {
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", args, {
      cwd: remote.path,
      encoding: "utf8",
      env: { ...process.env, GIT_INDEX_FILE: join(remote.path, "many.index") },
      ...(input !== undefined && { input }),
    }).trim();
  const texts = Array.from({ length: count }, (_, at) => `entry ${at} about prices\n`);
  git(["fast-import", "--quiet"], texts.map((text) => `blob\ndata ${text.length}\n${text}\n`).join(""));
  git(["read-tree", "main"]);
  const rows = texts.map((text, at) => `100644 ${blobId(text, 40)}\t${STORE}/knowledge/e${at}.md\n`);
  git(["update-index", "--index-info"], rows.join(""));
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  const commit = git([...identity, "commit-tree", git(["write-tree"]), "-p", "main", "-m", "many"]);
  git(["update-ref", "refs/heads/main", commit]);
}
