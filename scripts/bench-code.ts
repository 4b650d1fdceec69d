/**
 * How fast code is indexed and found, on a Go tree or any path given: `npm run bench:code [PATH]`.
 * Every number stands beside a yardstick from the same run, for machines differ.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { languageOf } from "../src/core/parse/parse.ts";
import { startClient } from "../tests/support/stdio-client.ts";
import { reportNavigation } from "./bench-navigation.ts";

const DEFAULT_TREE = "/usr/share/go-1.19/src";
const LOOK_UPS = 20;
/** Files of the tree that freshness is measured on, and how many of them differ between its branches. */
const MANY = 10_000;
const SWITCHED = 400;

const tree = process.argv[2] ?? DEFAULT_TREE;
const scratch = mkdtempSync(join(tmpdir(), "contextful-bench-"));
const home = join(scratch, "home");
const project = join(scratch, "project");
const built = mkdtempSync(join("node_modules", ".cache", "contextful", "bench-"));
const binary = build();
const library: typeof import("../src/index.ts") = await import(
  pathToFileURL(join(dirname(binary), "index.js")).href
);

try {
  cpSync(tree, project, { recursive: true, dereference: true });
  git("init", "-q");
  git("add", "-A");
  const lines = countLines();
  reportIndex("full index", lines);
  await reportNavigation(project, home);
  await reportNoOp();
  await reportTenFiles();
  await reportSearch();
  await reportFreshness();
} finally {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(built, { recursive: true, force: true });
}

/** The built program, with its worker threads; it finds its packages and models from here. */
function build(): string {
  const out = resolve(built, "dist");
  const tsdown = join("node_modules", "tsdown", "dist", "run.mjs");
  const args = [tsdown, "--out-dir", out, "--no-dts", "--log-level", "error"];
  // The build runs what it has built, which looks for these.
  cpSync("package.json", join(built, "package.json"));
  symlinkSync(resolve("models"), join(built, "models"), "junction");
  execFileSync(process.execPath, args, { stdio: "inherit" });
  return join(out, "bin.js");
}

function git(...args: string[]): string {
  return gitAt(project, ...args);
}

function gitAt(cwd: string, ...args: string[]): string {
  const person = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
  return execFileSync("git", [...person, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
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
  const questions = [
    "parse a duration string",
    "http server graceful shutdown",
    "copy files between directories",
    "elliptic curve point addition",
    "escape html template",
    "garbage collector mark phase",
    "read lines from a reader",
    "sort slice stable",
    "tls handshake certificate verify",
    "compress gzip writer",
  ];
  const names = symbolNames(LOOK_UPS);
  await opened.searchCode({ query: "warm up" });
  for (const mode of ["hybrid", "keyword", "vector"] as const) {
    const times: number[] = [];
    let place = 0;
    for (let round = 0; round < 20; round++) {
      for (const question of [...questions, ...names]) {
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

/** What it costs a server to know that its index is up to date, and how soon it is after a change. */
async function reportFreshness(): Promise<void> {
  const root = join(scratch, "many");
  writeMany(root);
  spawnSync(process.execPath, [binary, "code", "index", root], {
    env: { ...process.env, CONTEXTFUL_HOME: home },
  });
  // The first server of a project watches it, the second one does not.
  await using watching = await startServer(root);
  await watching.timeUntilFound("Handle7");
  await using other = await startServer(root);
  for (const [who, server, branch] of [
    ["watching", watching, "two"],
    ["not watching", other, "one"],
  ] as const) {
    // Changes of the last two seconds are compared by content.
    await new Promise((resume) => setTimeout(resume, 5_000));
    await server.timeUntilFound("Handle9999");
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < 9; round++) {
      theirs.push(await timed(() => gitAt(root, "ls-files", "-s")));
      ours.push(await timed(() => server.isFound("Handle9999")));
    }
    console.log(
      `check of ${MANY} files, ${who}: ${median(ours).toFixed(1)} ms, git ls-files -s ${median(theirs).toFixed(1)} ms: ${(median(ours) / median(theirs)).toFixed(2)}×`,
    );
    const added: number[] = [];
    for (let round = 0; round < 5; round++) {
      const name = `Added${branch}${round}`;
      writeFileSync(join(root, `p${round}`, `${name}.go`), `package p\n\nfunc ${name}() {}\n`);
      added.push(await server.timeUntilFound(name));
    }
    gitAt(root, "checkout", "-qf", branch);
    const switched = await server.timeUntilFound(branch === "two" ? "Changed10" : "Handle10");
    console.log(
      `fresh again, ${who}: a new file ${median(added).toFixed(0)} ms, a branch with ${SWITCHED} changed files ${switched.toFixed(0)} ms`,
    );
  }
}

async function startServer(root: string) {
  const client = startClient(binary, { cwd: root, env: { CONTEXTFUL_HOME: home } });
  await client.initialize();
  const isFound = async (name: string) => {
    const input = { path: root, query: name, limit: 1, search_mode: "keyword" };
    const answer = JSON.stringify((await client.callTool("search_code", input)).result ?? {});
    return answer.includes('"files_changed":0') && answer.includes(`"name":"${name}"`);
  };
  return {
    isFound,
    timeUntilFound: (name: string) =>
      timed(async () => {
        while (!(await isFound(name)));
      }),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Two branches of a tree that differ in some files. */
function writeMany(root: string): void {
  const write = (at: number, name: string) => {
    const text = `package p\n\n// ${name} answers requests of kind ${at}.\nfunc ${name}(x int) int {\n\treturn x + ${at}\n}\n`;
    writeFileSync(join(root, `p${at % 500}`, `file${at}.go`), text);
  };
  for (let at = 0; at < 500; at++) mkdirSync(join(root, `p${at}`), { recursive: true });
  for (let at = 0; at < MANY; at++) write(at, `Handle${at}`);
  gitAt(root, "init", "-q", "-b", "one");
  gitAt(root, "add", "-A");
  gitAt(root, "commit", "-qm", "one");
  gitAt(root, "checkout", "-qb", "two");
  for (let at = 0; at < SWITCHED; at++) write(at, `Changed${at}`);
  gitAt(root, "commit", "-qam", "two");
  gitAt(root, "checkout", "-q", "one");
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

async function timed(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}
function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
}
