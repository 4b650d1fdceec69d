/** Speed of team memory on a store of many entries: `npm run bench:memory [-- ENTRIES]`. Ratios are against plain file work in the same run. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTeamMemory } from "../src/capabilities/team-memory/index.ts";
import { Config } from "../src/core/config/config.ts";
import { allowRoots } from "../src/core/files/allowed-roots.ts";
import { silentLogger } from "../src/core/logger.ts";
import type { Machine } from "../src/core/machine.ts";
import { silentProgress } from "../src/core/progress.ts";
import { invoke } from "../src/core/tool.ts";

const WORDS =
  "the service stores every order in postgres and sends an event to the queue so that billing can read it later migration schema index cache token session deploy rollback branch review naming handler client server retry timeout metric trace log error limit budget section".split(
    " ",
  );
const entries = Number(process.argv[2] ?? 5000);
const root = mkdtempSync(join(tmpdir(), "contextful-bench-memory-"));
async function main() {
  fill(join(root, ".context-teleport"));
  const room = openTeamMemory(machine());
  const call = {
    signal: new AbortController().signal,
    progress: silentProgress,
    actor: "bench",
    caller: "agent",
  } as const;
  const run = (name: string, input: object) => {
    const tool = room.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    return invoke(tool, input, call);
  };

  await run("context_get", { dotpath: "manifest" });
  const reads: number[] = [];
  const unread: number[] = [];
  const readCpu = process.cpuUsage();
  for (let round = 0; round < 7; round += 1) reads.push(...times(1, readAll));
  const readSpent = cpuSince(readCpu, 7);
  await run("memory_knowledge_list", {});
  const listCpu = process.cpuUsage();
  for (let round = 0; round < 7; round += 1) {
    const tool = openTeamMemory(machine()).tools.find((one) => one.name === "memory_knowledge_list");
    if (tool !== undefined) unread.push(await time(() => invoke(tool, {}, call)));
  }
  const listSpent = cpuSince(listCpu, 7);
  const reading = median(reads);
  const warm: number[] = [];
  for (let round = 0; round < 7; round += 1) warm.push(await time(() => run("memory_knowledge_list", {})));
  console.log(`${entries} entries; reading the files ${ms(reading)}`);
  const ratio = (value: number) => `${(value / reading).toFixed(2)}x reading`;
  console.log(
    `list     nothing known yet ${ms(median(unread))} (${ratio(median(unread))}; cpu ${(listSpent / readSpent).toFixed(2)}x)   known ${ms(median(warm))} (${ratio(median(warm))})`,
  );
  console.log(`search   first ${ms(await time(() => run("context_search", { query: "postgres" })))}`);
  for (const query of [
    "postgres",
    "the",
    "postgres queue",
    "the order in",
    "entry 1234 schema",
    "zebra",
    "e",
  ]) {
    const took: number[] = [];
    const cpu = process.cpuUsage();
    for (let round = 0; round < 60; round += 1) took.push(await time(() => run("context_search", { query })));
    const spent = cpuSince(cpu, 60);
    console.log(
      `search   p50 ${ms(median(took))}  p95 ${ms(p95(took))}  cpu ${ms(spent)}  ${JSON.stringify(query)}`,
    );
  }
  console.log(
    `add      first (compares with all) ${ms(await time(() => run("context_add_knowledge", { key: "warm", content: "x" })))}`,
  );
  const adds: number[] = [];
  const cpu = process.cpuUsage();
  for (let round = 0; round < 100; round += 1) {
    adds.push(
      await time(() =>
        run("context_add_knowledge", { key: `new-${round}`, content: textOf(90_000 + round) }),
      ),
    );
  }
  const spent = cpuSince(cpu, 100);
  const plain = median(times(50, plainWrite));
  console.log(
    `add      p50 ${ms(median(adds))}  p95 ${ms(p95(adds))}  cpu ${ms(spent)}  (${(median(adds) / plain).toFixed(1)}x two plain synced files, ${ms(plain)})`,
  );
}

/** What the work itself costs, however busy the machine is. */
function cpuSince(before: NodeJS.CpuUsage, rounds: number): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / rounds;
}

function fill(store: string) {
  mkdirSync(join(store, "knowledge"), { recursive: true });
  const rows: Record<string, object> = {};
  for (let index = 0; index < entries; index += 1) {
    writeFileSync(join(store, "knowledge", `entry-${index}.md`), textOf(index));
    rows[`entry-${index}.md`] = {
      author: "mcp:bench",
      agent: "mcp:bench",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    };
  }
  writeFileSync(join(store, "knowledge", ".meta.json"), `${JSON.stringify(rows, null, 2)}\n`);
  writeFileSync(
    join(store, "manifest.json"),
    JSON.stringify({ schema_version: "0.4.0", project: { name: "bench" } }),
  );
}

/** About 1.5 KB of words in lines, the same for the same number. */
function textOf(index: number): string {
  let state = index * 2654435761 + 12345;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 8;
  };
  const line = () =>
    Array.from(
      { length: 10 },
      () => `${WORDS[next() % WORDS.length]}${next() % 9 === 0 ? next() % 5000 : ""}`,
    ).join(" ");
  return `# Entry ${index}\n\n${Array.from({ length: 24 }, line).join("\n")}\n`;
}

function readAll() {
  const folder = join(root, ".context-teleport", "knowledge");
  for (const file of readdirSync(folder)) readFileSync(join(folder, file), "utf8");
}

function plainWrite() {
  for (const name of ["a", "b"]) {
    const handle = openSync(join(root, `${name}.tmp`), "w");
    writeSync(handle, name === "a" ? textOf(1) : "x".repeat(entries * 190));
    fsyncSync(handle);
    closeSync(handle);
    renameSync(join(root, `${name}.tmp`), join(root, name));
  }
}

const machine = (): Machine => ({
  root,
  roots: allowRoots(root),
  home: join(root, "home"),
  cacheRoot: join(root, "caches"),
  config: async () => Config.parse({}),
  logger: silentLogger,
  now: () => new Date(),
  env: {},
});

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
function times(rounds: number, work: () => void): number[] {
  return Array.from({ length: rounds }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}
const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const median = (values: readonly number[]) => at(values, 0.5);
const p95 = (values: readonly number[]) => at(values, 0.95);
const ms = (value: number) => `${value.toFixed(1)} ms`;

try {
  await main();
} finally {
  rmSync(root, { recursive: true, force: true });
}
