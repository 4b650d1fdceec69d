import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeSurroundings } from "../eval/packs/surroundings/write-surroundings.ts";
import { openApp, openMachine } from "../src/app.ts";
import { silentLogger } from "../src/core/logger.ts";
import { silentProgress } from "../src/core/progress.ts";
import { type Call, invoke } from "../src/core/tool.ts";

/**
 * The time of a pack compared with a plain code search in the same run: node scripts/run.mjs scripts/bench-packs.ts PROJECT [ROUNDS].
 * The project of the evaluation is copied beside the code and committed, so that every room has something to give.
 */
const TASKS = [
  "add a deadline to reading the request body",
  "decode numbers without losing precision",
  "retry the connection when the handshake times out",
  "parse an address with a zone",
  "compress the response when the client accepts it",
  "cancel a transaction when its context ends",
  "write a table of contents into the archive",
  "escape attributes in templates",
  "limit the number of idle connections",
  "compare two certificates",
  "walk a directory and skip hidden files",
  "print the source position of a syntax error",
];
const source = process.argv[2];
const rounds = Number(process.argv[3] ?? 3);
if (source === undefined || !existsSync(source)) throw new Error("usage: bench-packs.ts PROJECT [ROUNDS]");

const directory = realpathSync(mkdtempSync(join(tmpdir(), "contextful-bench-")));
try {
  const root = join(directory, "project");
  cpSync("eval/packs/fixtures/parcel", root, { recursive: true, preserveTimestamps: true });
  writeSurroundings(root);
  cpSync(resolve(source), join(root, "code"), { recursive: true, preserveTimestamps: true });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "-qm", "start");
  const env = { ...process.env, CONTEXTFUL_HOME: join(directory, "home") };
  const app = openApp(openMachine({ root, env, logger: silentLogger }));
  const quiet: Call = {
    signal: new AbortController().signal,
    progress: silentProgress,
    actor: "bench",
    caller: "person",
  };
  const call = async (name: string, input: unknown) => {
    const tool = app.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const started = performance.now();
    await invoke(tool, input, quiet);
    return performance.now() - started;
  };
  console.log(`indexed in ${Math.round(await call("index_codebase", { path: root }))} ms`);
  await call("directories_rehash", {});
  await call("documents_sync", {});
  for (const task of ["show the price", "close the file", "who may read this", "change the name of a column"])
    await call("context_pack", { task: `${task}, to warm up` });
  await call("search_code", { path: root, query: "warm up the search" });
  const searches: number[] = [];
  const packs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const task of TASKS) {
      // A different question each time, so that no cache helps.
      const asked =
        round === 0 ? task : `${task} ${["again", "once more", "carefully", "now"][round % 4]} ${round}`;
      searches.push(await call("search_code", { path: root, query: `${asked} please`, limit: 45 }));
      packs.push(await call("context_pack", { task: asked, budget: 8000 }));
    }
  }
  await app.close();
  const at = (times: readonly number[], part: number) =>
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  console.log("            p50 ms   p95 ms");
  for (const [name, times] of Object.entries({ search: searches, "pack 8000": packs }))
    console.log(
      `${name.padEnd(10)}${at(times, 0.5).toFixed(1).padStart(8)}${at(times, 0.95).toFixed(1).padStart(9)}`,
    );
  console.log(`a pack takes ${(at(packs, 0.5) / at(searches, 0.5)).toFixed(1)} times a search`);
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
