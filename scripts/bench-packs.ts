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
 * The project of the evaluation is copied beside the code and committed, so that every room has something to give. An agent
 * asks a server, which follows the files of the project.
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
    caller: "agent",
  };
  const serving = new AbortController();
  app.startBackground(serving.signal);
  const call = async (name: string, input: unknown) => {
    const tool = app.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const started = performance.now();
    const before = process.cpuUsage();
    await invoke(tool, input, quiet);
    const { user, system } = process.cpuUsage(before);
    return { wall: performance.now() - started, processor: (user + system) / 1000 };
  };
  const indexed = await call("index_codebase", { path: root });
  console.log(`indexed in ${Math.round(indexed.wall)} ms`);
  await call("directories_rehash", {});
  await call("documents_sync", {});
  for (const task of ["show the price", "close the file", "who may read this", "change the name of a column"])
    await call("context_pack", { task: `${task}, to warm up` });
  await call("search_code", { path: root, query: "warm up the search" });
  const searches: Awaited<ReturnType<typeof call>>[] = [];
  const packs: Awaited<ReturnType<typeof call>>[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const task of TASKS) {
      // A different question each time, so that no cache helps.
      const asked =
        round === 0 ? task : `${task} ${["again", "once more", "carefully", "now"][round % 4]} ${round}`;
      searches.push(await call("search_code", { path: root, query: `${asked} please`, limit: 45 }));
      packs.push(await call("context_pack", { task: asked, budget: 8000 }));
    }
  }
  serving.abort();
  await app.close();
  const at = (times: readonly number[], part: number) =>
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const column = (times: readonly number[], part: number) => at(times, part).toFixed(1).padStart(10);
  // On a busy machine the time of the processor says more than the time on the wall.
  console.log("              p50 ms    p95 ms   cpu p50   cpu p95");
  for (const [name, calls] of Object.entries({ search: searches, "pack 8000": packs })) {
    const wall = calls.map((each) => each.wall);
    const processor = calls.map((each) => each.processor);
    const columns = [column(wall, 0.5), column(wall, 0.95), column(processor, 0.5), column(processor, 0.95)];
    console.log(`${name.padEnd(10)}${columns.join("")}`);
  }
  const median = (calls: typeof packs) =>
    at(
      calls.map((each) => each.processor),
      0.5,
    );
  console.log(`a pack takes ${(median(packs) / median(searches)).toFixed(1)} times a search`);
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
