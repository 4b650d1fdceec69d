import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openMachine } from "../src/app.ts";
import { CODE_KIND, openCodeIndex, openPublishedCode } from "../src/capabilities/code-index/index.ts";
import { sha256 } from "../src/core/hash.ts";
import { silentLogger } from "../src/core/logger.ts";
import { openReplica } from "../src/core/replica/open-replica.ts";
import type { Replica } from "../src/core/replica/replica.ts";
import { measuredRun } from "../tests/support/child-usage.ts";
import type { BenchServers } from "./bench-team-processes.ts";
import { buildProgram, gitAt, median, percentile } from "./bench-tools.ts";

const CHANGED_FILES = 10;
const ROUNDS = 5;
const QUERIES = 40;

/**
 * What sharing an index costs. The repository is cloned to a temporary directory; its index is published to a directory,
 * followed, and searched through both.
 */
export async function reportIndex(repository: string, { isBuilt }: BenchServers): Promise<void> {
  const program = isBuilt ? undefined : buildProgram();
  const place = mkdtempSync(join(tmpdir(), "contextful-bench-"));
  try {
    await report({ place, repository, binary: resolve(program?.binary ?? "dist/bin.js") });
  } finally {
    rmSync(place, { recursive: true, force: true });
    program?.[Symbol.dispose]();
  }
}

interface Compared {
  readonly place: string;
  readonly repository: string;
  readonly binary: string;
}

async function report({ place, repository, binary }: Compared): Promise<void> {
  const [root, store, home] = ["clone", "store", "home"].map((name) => join(place, name));
  if (root === undefined || store === undefined || home === undefined) return;
  gitAt(place, "clone", "-q", "--shared", resolve(repository), root);
  mkdirSync(store);
  const env = { ...process.env, CONTEXTFUL_HOME: home, CONTEXTFUL_CONFIG: join(place, "config") };
  const run = async (...args: string[]) => {
    const { result, ms } = await wall(() => measuredRun([binary, ...args], { cwd: root, env }));
    if (result.code !== 0) throw new Error(result.stderr);
    return { output: result.stdout, ms, cpuMs: result.cpuMs };
  };
  const first = await run("code", "publish", "--to", store, "--json");
  const again = await run("code", "publish", "--to", store, "--json");
  print("first publication, with the index", first, JSON.parse(first.output));
  print("publication of what is published", again, JSON.parse(again.output));
  const tracked = JSON.parse((await run("code", "files", "--json")).output).files;
  changeFiles(
    root,
    tracked.filter((file: { language: string }) => file.language !== ""),
  );
  const changed = await run("code", "publish", "--to", store, "--json");
  const counts = JSON.parse(changed.output);
  print(`publication after ${CHANGED_FILES} changed files`, changed, counts);
  line("blocks that were there already", `${((1 - counts.new_blocks / counts.blocks) * 100).toFixed(1)} %`);
  const second = join(place, "second");
  gitAt(root, "worktree", "add", "-q", second);
  const ready = await run("search", "a", second);
  line("first search in a second work tree", took(ready));
  await follow({ store, place, project: counts.project });
  await search({ store, place, root, env, project: counts.project });
}

/** Spread over the project, each with one more line. */
function changeFiles(root: string, files: readonly { readonly path: string }[]): void {
  for (let number = 0; number < CHANGED_FILES; number++) {
    const file = files[Math.floor((number * files.length) / CHANGED_FILES)];
    if (file) appendFileSync(join(root, file.path), `\n// changed ${number}\n`);
  }
  gitAt(root, "commit", "-qam", "ten files");
}

interface Followed {
  readonly store: string;
  readonly place: string;
  readonly project: string;
}

const NETWORKS = [
  ["100 Mbit/s", 100e6],
  ["1 Gbit/s", 1e9],
] as const;

/** Beside it: the same file copied and hashed once, and the time that the bytes of its blocks need on a network. */
async function follow({ store, place, project }: Followed): Promise<void> {
  const machine = openMachine({
    root: place,
    env: { CONTEXTFUL_HOME: join(place, "reader") },
    logger: silentLogger,
  });
  const [times, copies]: [number[], number[]] = [[], []];
  let [bytes, packed] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    await using opened = await openReplica(store);
    packed = 0;
    const replica = countingBytes(opened, (count) => {
      packed += count;
    });
    const [newest] = await replica.registry.generations(project, CODE_KIND);
    if (newest === undefined) throw new Error("nothing is published");
    await using published = openPublishedCode(machine, {
      replica,
      directory: join(place, `followed-${round}`),
    });
    const before = process.cpuUsage();
    const { file } = await published.follow(newest);
    times.push(seconds(process.cpuUsage(before)));
    bytes = statSync(file).size;
    const start = process.cpuUsage();
    copyFileSync(file, join(place, "copy"));
    sha256(readFileSync(join(place, "copy")));
    copies.push(seconds(process.cpuUsage(start)));
  }
  const [own, copy] = [median(times), median(copies)];
  line(
    "cold follow",
    `${megabytes(bytes)} in ${own.toFixed(2)} s of processor time, ${(own / copy).toFixed(1)} × copy and hash`,
  );
  for (const [network, bitsPerSecond] of NETWORKS) {
    const transfer = (packed * 8) / bitsPerSecond;
    line(
      `its blocks at ${network}`,
      `${megabytes(packed)} in ${transfer.toFixed(2)} s; processor time is ${(own / transfer).toFixed(2)} × that`,
    );
  }
  line(
    "bandwidth at which the processor is the limit",
    `${((packed * 8) / 1e6 / own).toFixed(0)} Mbit/s of blocks`,
  );
}

const countingBytes = (replica: Replica, count: (bytes: number) => void): Replica => ({
  ...replica,
  blocks: {
    ...replica.blocks,
    async get(hashes) {
      const found = await replica.blocks.get(hashes);
      for (const packed of found.values()) count(packed.length);
      return found;
    },
  },
});

async function search({
  store,
  place,
  root,
  env,
  project,
}: Followed & { root: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const machine = openMachine({ root, env, logger: silentLogger });
  const code = openCodeIndex(machine);
  await using replica = await openReplica(store);
  await using published = openPublishedCode(machine, { replica, directory: join(place, "followed-0") });
  const { signal } = new AbortController();
  const names = gitAt(root, "ls-files")
    .split("\n")
    .filter((path) => /\w/.test(path));
  const queries = Array.from({ length: QUERIES }, (_, number) =>
    (names[Math.floor((number * names.length) / QUERIES)] ?? "").replaceAll(/\W+/g, " "),
  );
  const [embedded, followed]: [number[], number[]] = [[], []];
  for (const [number, query] of ["warm up", ...queries].entries()) {
    const question = { query, limit: 10 };
    const one = await wall(() => code.searchCode(root, question, signal));
    const two = await wall(() => published.use(project, (index) => index.search(question, signal)));
    if (JSON.stringify(one.result.hits) !== JSON.stringify(two.result.hits))
      throw new Error(`other hits: ${query}`);
    if (number > 0) {
      embedded.push(one.ms);
      followed.push(two.ms);
    }
  }
  await code.close();
  const p95 = (times: readonly number[]) => percentile(times, 0.95);
  for (const [name, of] of [
    ["median", median],
    ["p95", p95],
  ] as const) {
    const [one, two] = [of(embedded), of(followed)];
    line(
      `search, ${name}`,
      `embedded ${one.toFixed(1)} ms, followed ${two.toFixed(1)} ms, ratio ${(two / one).toFixed(2)}`,
    );
  }
}

interface CommandTimes {
  readonly ms: number;
  /** Processor time of its own, without that of git. */
  readonly cpuMs: number;
}

async function wall<T>(run: () => Promise<T>) {
  const started = performance.now();
  const result = await run();
  return { result, ms: performance.now() - started };
}

function print(
  name: string,
  times: CommandTimes,
  counts: { readonly blocks: number; readonly new_blocks: number; readonly new_bytes: number },
): void {
  line(
    name,
    `${took(times)}, ${counts.new_blocks} of ${counts.blocks} blocks new, ${megabytes(counts.new_bytes)} sent`,
  );
}
const took = ({ ms, cpuMs }: CommandTimes) =>
  `${(ms / 1000).toFixed(2)} s, ${(cpuMs / 1000).toFixed(2)} s of processor time`;
const line = (name: string, value: string) => process.stdout.write(`${name.padEnd(48)} ${value}\n`);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
