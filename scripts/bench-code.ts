/**
 * How fast code is indexed and found, on a Go tree or any path given: `npm run bench:code [PATH] [-- --only lines]`. With
 * `--freshness`, only how soon a server knows of changes.
 * Every number stands beside a yardstick from the same run, for machines differ.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { languageOf } from "../src/core/parse/parse.ts";
import { startClient } from "../tests/support/stdio-client.ts";
import { reportFreshness } from "./bench-freshness.ts";
import { reportNavigation } from "./bench-navigation.ts";
import { QUESTIONS } from "./bench-server.ts";
import { buildProgram, gitAt, median, timed } from "./bench-tools.ts";

const DEFAULT_TREE = "/usr/share/go-1.19/src";
const LOOK_UPS = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { freshness: { type: "boolean", default: false }, only: { type: "string" } },
});
const [tree = DEFAULT_TREE] = positionals;
const scratch = mkdtempSync(join(tmpdir(), "contextful-bench-"));
const home = join(scratch, "home");
const project = join(scratch, "project");
const built = buildProgram();
const { binary } = built;
const library: typeof import("../src/index.ts") = await import(
  pathToFileURL(join(dirname(binary), "index.js")).href
);

try {
  if (!values.freshness) await reportTree();
  await reportFreshness(binary, scratch);
} finally {
  rmSync(scratch, { recursive: true, force: true });
  built[Symbol.dispose]();
}

async function reportTree(): Promise<void> {
  cpSync(tree, project, { recursive: true, dereference: true });
  git("init", "-q");
  git("add", "-A");
  const lines = countLines();
  reportIndex("full index", lines);
  const reports = {
    noop: reportNoOp,
    changes: reportTenFiles,
    search: reportSearch,
    lines: reportLines,
    navigation: () => reportNavigation(project, home),
  };
  for (const [name, report] of Object.entries(reports)) {
    if (values.only === undefined || values.only === name) await report();
  }
}

function git(...args: string[]): string {
  return gitAt(project, ...args);
}

function countLines(): number {
  let lines = 0;
  for (const path of git("ls-files", "-z").split("\0")) {
    if (languageOf(path) !== undefined && !/(?:^|\/)vendor\//.test(path))
      lines += readFileSync(join(project, path)).toString("latin1").split("\n").length - 1;
  }
  return lines;
}

/** In a process of its own, whose peak of memory is the kernel's word. */
function reportIndex(what: string, lines: number): void {
  const peak =
    "import{readFileSync,writeSync}from'node:fs';process.on('exit',()=>{try{writeSync(2,readFileSync('/proc/self/status','utf8'))}catch{}})";
  const preload = `data:text/javascript,${encodeURIComponent(peak)}`;
  const ran = spawnSync(
    process.execPath,
    ["--import", preload, binary, "code", "index", project, "--json", "--force"],
    { encoding: "utf8", env: { ...process.env, CONTEXTFUL_HOME: home }, maxBuffer: 1 << 26 },
  );
  if (ran.status !== 0) throw new Error(ran.stderr);
  const { statistics } = JSON.parse(ran.stdout);
  const megabytes = Number(/VmHWM:\s+(\d+)/.exec(ran.stderr)?.[1] ?? 0) / 1024;
  const rate = Math.round(lines / statistics.duration_seconds);
  console.log(
    `${what}: ${lines} lines of ${statistics.files_indexed + statistics.files_failed} files, ${statistics.chunks_created} chunks, ` +
      `${statistics.symbols_extracted} symbols in ${statistics.duration_seconds} s = ${rate} lines/s; ` +
      `peak ${Math.round(megabytes)} MB; index ${statistics.index_size_mb} MB`,
  );
}

function open() {
  return library.openContextful({ root: project, env: { ...process.env, CONTEXTFUL_HOME: home } });
}

async function reportNoOp(): Promise<void> {
  const opened = open();
  await opened.indexCodebase();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 7; round++) {
    theirs.push(await timed(() => git("ls-files", "-s")));
    ours.push(await timed(() => opened.indexCodebase()));
  }
  console.log(
    `no-op: ${median(ours).toFixed(0)} ms, git ls-files -s ${median(theirs).toFixed(0)} ms: ${(median(ours) / median(theirs)).toFixed(1)}×`,
  );
  await opened.close();
}

async function reportTenFiles(): Promise<void> {
  const opened = open();
  await opened.indexCodebase();
  const sources = git("ls-files", "-z")
    .split("\0")
    .filter((path) => languageOf(path) !== undefined);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (let at = 0; at < 10; at++) {
      const path = sources[(at * 397 + round * 31) % sources.length] ?? "";
      appendFileSync(join(project, path), `\n// changed ${round}\n`);
    }
    times.push(await timed(() => opened.indexCodebase()));
  }
  console.log(
    `ten changed files: ${median(times).toFixed(0)} ms (${times.map((time) => time.toFixed(0)).join(", ")})`,
  );
  await opened.close();
}

async function reportSearch(): Promise<void> {
  const opened = open();
  const names = symbolNames(LOOK_UPS);
  await opened.searchCode({ query: "warm up" });
  for (const mode of ["hybrid", "keyword", "vector"] as const) {
    const times: number[] = [];
    let place = 0;
    for (let round = 0; round < 20; round++) {
      for (const question of [...QUESTIONS, ...names]) {
        // A different limit each round keeps the cache of answers out of it.
        const limit = 10 + (place++ % 7);
        times.push(
          await timed(() => opened.searchCode({ query: `${question} ${round}`, limit, search_mode: mode })),
        );
      }
    }
    times.sort((a, b) => a - b);
    console.log(
      `search ${mode}: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms, p99 ${at(times, 0.99)} ms`,
    );
  }
  const ours: number[] = [];
  const theirs: number[] = [];
  let first = 0;
  for (const name of names) {
    ours.push(
      await timed(async () => {
        const answer = JSON.stringify(await opened.searchCode({ query: name, limit: 5 }));
        if (answer.includes(`"rank":1`) && answer.indexOf(`"name":"${name}"`) > 0) first++;
      }),
    );
    theirs.push(await timed(() => spawnSync("rg", ["-n", "-w", name, project], { maxBuffer: 1 << 28 })));
  }
  console.log(
    `look-ups: median ${median(ours).toFixed(1)} ms, rg ${median(theirs).toFixed(1)} ms: ${(median(theirs) / median(ours)).toFixed(0)}× faster; ${first} of ${names.length} found`,
  );
  await opened.close();
}

/** Lines by text and by expression, beside ripgrep on the same tree; rare and common ones. */
async function reportLines(): Promise<void> {
  await using client = startClient(binary, { cwd: project, env: { CONTEXTFUL_HOME: home } });
  await client.initialize();
  const patterns = [
    ["literal", "http: Server closed"],
    ["literal", "NewReader("],
    ["literal", "no such text anywhere"],
    ["literal", "ctx context.Context"],
    ["literal", "if err != nil {"],
    ["regex", "func \\(\\w+ \\*Server\\) Serve"],
    ["regex", 'errors\\.New\\("[a-z]+: '],
    ["regex", "(Read|Write)AtLeast"],
    ["regex", "^type \\w+Reader struct"],
    ["regex", "TODO\\(\\w+\\):"],
  ] as const;
  await client.callTool("code_search", { query: "warm up", match: "literal" });
  for (const mode of ["literal", "regex"] as const) {
    const ratios: number[] = [];
    for (const [, pattern] of patterns.filter(([wanted]) => wanted === mode)) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < 7; round++) {
        const flags = ["-n", "-S", "--no-ignore", ...(mode === "literal" ? ["-F"] : [])];
        theirs.push(
          await timed(() => spawnSync("rg", [...flags, "--", pattern, project], { maxBuffer: 1 << 28 })),
        );
        ours.push(await timed(() => client.callTool("code_search", { query: pattern, match: mode })));
      }
      ratios.push(median(ours) / median(theirs));
      console.log(
        `lines, ${mode} ${pattern}: ${median(ours).toFixed(0)} ms, rg ${median(theirs).toFixed(0)} ms: ${ratios.at(-1)?.toFixed(2)}×`,
      );
    }
    console.log(`lines, ${mode}: at most ${Math.max(...ratios).toFixed(2)}× the time of rg`);
  }
}

function symbolNames(count: number): string[] {
  const names = new Set<string>();
  for (const entry of readdirSync(project, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".go") || entry.parentPath.includes("/vendor/")) continue;
    const found = /^func ([A-Z]\w{6,})\(/m.exec(readFileSync(join(entry.parentPath, entry.name), "utf8"));
    if (found?.[1]) names.add(found[1]);
  }
  const all = [...names].sort();
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? "").filter(
    Boolean,
  );
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
}
