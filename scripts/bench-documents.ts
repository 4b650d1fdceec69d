import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../src/capabilities/documents/index.ts";
import { Config } from "../src/core/config/config.ts";
import { allowRoots } from "../src/core/files/allowed-roots.ts";
import { silentLogger } from "../src/core/logger.ts";
import { silentProgress } from "../src/core/progress.ts";
import { invoke } from "../src/core/tool.ts";

/** Syncs 10,000 documents, searches them and syncs again without changes, compared with a plain walk of the tree. */
const TOPICS = [
  "deploy",
  "rollback",
  "backup",
  "token",
  "invoice",
  "heron",
  "cache",
  "queue",
  "schema",
  "latency",
];
const WORDS = Array.from({ length: 4_000 }, (_, index) => `term${index.toString(36)}`);

async function main(count = 10_000): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "contextful-bench-"));
  try {
    const root = join(scratch, "project");
    const bytes = makeTree(join(root, "docs"), count);
    const call = toolsOf(root, join(scratch, "home"));
    const first = await timed(() => call("documents_sync", {}));
    const seconds = first / 1_000;
    console.log(
      `sync: ${count} documents (${(bytes / 1e6).toFixed(1)} MB) in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`,
    );
    await searches(call);
    await resyncs(call, join(root, "docs"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function searches(call: Call): Promise<void> {
  for (const mode of ["keyword", "hybrid"]) {
    const times: number[] = [];
    await call("context.search", { query: "warm up", mode });
    const before = process.cpuUsage();
    for (let round = 0; round < 200; round += 1) {
      const query = `${TOPICS[round % TOPICS.length]} ${WORDS[(round * 37) % WORDS.length]}`;
      times.push(await timed(() => call("context.search", { query, mode })));
    }
    const { user, system } = process.cpuUsage(before);
    times.sort((a, b) => a - b);
    console.log(
      `search ${mode}: p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms (aim 15), ${((user + system) / 200_000).toFixed(1)} ms of processor each`,
    );
  }
}

async function resyncs(call: Call, tree: string): Promise<void> {
  const walks: number[] = [];
  const syncs: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    walks.push(await timed(async () => walkAndStat(tree)));
    syncs.push(await timed(() => call("documents_sync", {})));
  }
  const [walk, sync] = [walks, syncs].map((times) =>
    at(
      times.sort((a, b) => a - b),
      0.5,
    ),
  );
  console.log(
    `re-sync, nothing changed: ${sync?.toFixed(0)} ms, walking and stat-ing ${walk?.toFixed(0)} ms, ratio ${((sync ?? 0) / (walk ?? 1)).toFixed(2)} (aim 3)`,
  );
}

/** A few kilobytes of prose per document, the same in every run. */
function makeTree(docs: string, count: number): number {
  let seed = 42;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  let bytes = 0;
  for (let number = 0; number < count; number += 1) {
    const folder = join(docs, `part-${number % 100}`);
    mkdirSync(folder, { recursive: true });
    const paragraph = () =>
      Array.from({ length: 60 }, () => (next(12) === 0 ? TOPICS[next(10)] : WORDS[next(WORDS.length)])).join(
        " ",
      );
    const text = `# ${TOPICS[number % 10]} ${number}\n\n${paragraph()}\n\n## Details\n\n${paragraph()}\n\n${paragraph()}\n`;
    const file = join(folder, `${number}.md`);
    writeFileSync(file, text);
    utimesSync(file, 1_767_225_600 + number, 1_767_225_600 + number);
    bytes += text.length;
  }
  return bytes;
}

function walkAndStat(directory: string): number {
  let files = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) files += walkAndStat(path);
    else if (lstatSync(path).isFile()) files += 1;
  }
  return files;
}

type Call = (name: string, input: unknown) => Promise<unknown>;

function toolsOf(root: string, home: string): Call {
  const config = Config.parse({ connectors: { filesystem: { docs: { root: "docs" } } } });
  const { tools } = openDocuments({
    root,
    home,
    roots: allowRoots(root),
    cacheRoot: join(root, ".context-caches"),
    config: async () => config,
    logger: silentLogger,
    now: () => new Date(),
    env: process.env,
  });
  return (name, input) => {
    const tool = tools.find((known) => known.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const { signal } = new AbortController();
    return invoke(tool, input, { signal, progress: silentProgress, actor: "bench", caller: "person" });
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

await main(Number(process.argv[2] ?? 10_000));
