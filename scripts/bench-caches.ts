import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openContextCaches } from "../src/capabilities/context-caches/index.ts";
import { Config } from "../src/core/config/config.ts";
import { allowRoots } from "../src/core/files/allowed-roots.ts";
import { silentLogger } from "../src/core/logger.ts";
import { silentProgress } from "../src/core/progress.ts";
import { type Call, invoke } from "../src/core/tool.ts";

const DOCUMENTS = Number(process.argv[2] ?? 20_000);
const BYTES = 5_000;
const QUERIES = ["deployment security", "w17 w4000 w123", "absent", "w1", "w2 w3 w5 w7 w11 w13"];
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(3)} s`;
const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
const resolve = (call: ReturnType<typeof toolsOf>, round: number) =>
  call("context.resolve", { cache: "big", query: QUERIES[round % QUERIES.length], budget: 20_000 });

const home = mkdtempSync(join(tmpdir(), "contextful-bench-caches-"));
try {
  await bench();
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const sources = join(home, "sources");
  const cache = join(home, "caches", "big");
  mkdirSync(sources);
  for (let place = 0; place < DOCUMENTS; place += 1)
    writeFileSync(join(sources, `${place}.md`), textOf(place));
  const call = toolsOf();
  const built = await timed(() => call("caches_build", { sources, cache }));
  const bytes = readdirSync(join(cache, "documents"))
    .map((name) => statSync(join(cache, "documents", name)).size)
    .reduce((sum, size) => sum + size, 0);
  console.log(`${DOCUMENTS} documents, ${mb(bytes)} MB; built in ${seconds(built)}`);

  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const cold = await timed(() => resolve(call, 0));
  const warm: number[] = [];
  for (let round = 0; round < 20; round += 1) warm.push(await timed(() => resolve(call, round)));
  const warmTime = warm.toSorted((a, b) => a - b)[10] ?? 0;
  const held = process.resourceUsage().maxRSS * 1024 - before;
  const again = await timed(async () => splitAgain(cache));

  console.log(
    `cold resolve ${seconds(cold)}, warm (median) ${seconds(warmTime)}, reading and splitting ${seconds(again)}`,
  );
  verdict("warm / cold", warmTime / cold, 1 / 20);
  verdict("warm / reading and splitting again", warmTime / again, 1 / 10);
  verdict("memory at its peak / bytes of the cache", held / bytes, 3);
}

/** The least that a resolve without a cache must do: read every document and split it into words. */
function splitAgain(cache: string): number {
  let words = 0;
  for (const name of readdirSync(join(cache, "documents"))) {
    const { content } = JSON.parse(readFileSync(join(cache, "documents", name), "utf8")) as {
      content: string;
    };
    words += content.toLowerCase().split(/\s+/).length;
  }
  return words;
}

function toolsOf() {
  const { tools } = openContextCaches({
    root: home,
    roots: allowRoots(home),
    home: join(home, "home"),
    cacheRoot: join(home, "caches"),
    config: async () => Config.parse({}),
    logger: silentLogger,
    now: () => new Date(0),
    env: {},
  });
  const context: Call = {
    signal: new AbortController().signal,
    progress: silentProgress,
    actor: "bench",
    caller: "person",
  };
  return async (name: string, input: unknown) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const output = await invoke(tool, input, context);
    return tool.json?.(output) ?? JSON.stringify(output);
  };
}

/** Words as text has them: few are common, most are rare. */
function textOf(place: number): string {
  let seed = place * 2_654_435_761 + 1;
  const words = [`document-${place}`];
  for (let length = words[0]?.length ?? 0; length < BYTES; ) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const word = `w${Math.floor(100_000 ** (seed / 2 ** 32))}`;
    words.push(word);
    length += word.length + 1;
  }
  return words.join(" ");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function verdict(name: string, ratio: number, most: number): void {
  console.log(`${name}: ${ratio.toFixed(4)} (at most ${most}) ${ratio <= most ? "ok" : "MISSED"}`);
  if (ratio > most) process.exitCode = 1;
}
