import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDirectoryContexts } from "../src/capabilities/directory-contexts/index.ts";
import { Config } from "../src/core/config/config.ts";
import { allowRoots } from "../src/core/files/allowed-roots.ts";
import { silentLogger } from "../src/core/logger.ts";
import { silentProgress } from "../src/core/progress.ts";
import { invoke } from "../src/core/tool.ts";

/** Lists the contexts of a copy of a real tree. The baseline is `git ls-files` and one stat for each file. */
const AT_LEAST = 4_000;
const DEFAULT_TREE = "/usr/share/go-1.19";

async function main(given = DEFAULT_TREE): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "contextful-bench-"));
  try {
    const root = join(scratch, "tree");
    // Copies of the tree side by side, until there are enough directories.
    const copies = Math.ceil(AT_LEAST / directoriesIn(given));
    for (let copy = 1; copy <= copies; copy++) {
      cpSync(given, join(root, `copy-${copy}`), { recursive: true, verbatimSymlinks: true });
    }
    writeFileSync(join(root, ".context.config.yaml"), "min_tokens: 0\n");
    git(root, "init", "--quiet");
    commit(root, "tree");
    await bench(root);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function bench(root: string): Promise<void> {
  const call = toolsOf(root);
  const started = performance.now();
  const made: { created?: string[] } = Object(await call("directories_init", { path: root }));
  const seconds = (performance.now() - started) / 1000;
  const directories = made.created?.length ?? 0;
  console.log(
    `init: ${directories} directories in ${seconds.toFixed(1)} s, ${(directories / seconds).toFixed(0)} a second`,
  );

  commit(root, "contexts");
  const list = () => call("list_contexts", {});
  const cold = await timed(list);
  await list();
  const rounds = await alternate(11, { floor: async () => floorOf(root), list });
  const ratio = median(rounds.list) / median(rounds.floor);
  console.log(`list_contexts cold in this process: ${cold.toFixed(0)} ms`);
  console.log(`git ls-files and one stat a file: ${median(rounds.floor).toFixed(0)} ms`);
  console.log(
    `list_contexts warm: ${median(rounds.list).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (at most 3)`,
  );

  for (const path of filesOf(root)) utimesSync(join(root, path), 1_700_000_000, 1_700_000_000);
  console.log(
    `all touched, compared by git, first: ${(await timed(list)).toFixed(0)} ms, again: ${(await timed(list)).toFixed(0)} ms`,
  );
  if (ratio > 3) process.exitCode = 1;
}

const directoriesIn = (tree: string) =>
  readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory()).length;

function toolsOf(root: string) {
  const { tools } = openDirectoryContexts({
    root,
    roots: allowRoots(root),
    home: join(root, "..", "home"),
    cacheRoot: join(root, ".context-caches"),
    config: async () => Config.parse({}),
    logger: silentLogger,
    now: () => new Date(),
    env: {},
  });
  return async (name: string, input: unknown) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const signal = new AbortController().signal;
    return invoke(tool, input, { signal, progress: silentProgress, actor: "bench", caller: "person" });
  };
}

const filesOf = (root: string): string[] =>
  execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 })
    .split("\0")
    .filter(Boolean);

function floorOf(root: string): number {
  let bytes = 0;
  for (const path of filesOf(root)) bytes += lstatSync(join(root, path)).size;
  return bytes;
}

/** Runs both in turn, so that a slow moment of the machine affects both. */
async function alternate<Names extends string>(count: number, work: Record<Names, () => Promise<unknown>>) {
  const names = Object.keys(work) as Names[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Names, number[]>;
  for (let round = 0; round < count; round++)
    for (const name of names) times[name].push(await timed(work[name]));
  return times;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

function git(root: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
}

function commit(root: string, message: string): void {
  git(root, "add", "--all", "--force");
  git(root, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m", message);
}

await main(process.argv[2]);
