import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { languageOf } from "../src/core/parse/parse.ts";
import { startClient } from "../tests/support/stdio-client.ts";
import { type BenchRow, type BenchTree, gitAt, median, runProgram, timed, timeOf } from "./bench-tools.ts";

const ROUNDS = 5;
const MEGABYTE = 1_048_576;

/** From the start of the process to printed hits, in a clone that no index knows. */
export function firstAnswer(binary: string, { root, lines }: BenchTree, home: string): BenchRow[] {
  const { ms, cpuMs } = runProgram(binary, ["search", "parse a duration string"], { cwd: root, home });
  // The answer came before the index, which is made in the background: nothing else is measured meanwhile.
  runProgram(binary, ["search", "parse a duration string", "--wait"], { cwd: root, home });
  const floor =
    timeOf("rg", ["-c", "", "--no-ignore", root], root) + timeOf(process.execPath, ["-e", "0"], root);
  return [
    {
      what: `first answer, ${lines} lines never seen`,
      figure: `${(ms / 1000).toFixed(2)} s, cpu ${(cpuMs / 1000).toFixed(2)} s`,
      beside: `${(ms / floor).toFixed(1)} × rg -c and Node's start; at most 1.2 s and 4 ×`,
      isMet: ms <= 1200 && ms <= 4 * floor,
    },
  ];
}

interface IndexBench {
  readonly binary: string;
  readonly tree: BenchTree;
  readonly home: string;
  readonly what: string;
  /** Lines a second. */
  readonly target: number;
}

/** A full index through MCP. */
export async function fullIndex({ binary, tree, home, what, target }: IndexBench): Promise<BenchRow[]> {
  await using client = startClient(binary, { cwd: tree.root, env: { CONTEXTFUL_HOME: home } });
  await client.initialize();
  const ms = await timed(() => client.callTool("index_codebase", { path: tree.root }));
  const rate = (tree.lines / ms) * 1000;
  const words = timeOf("ctags", ["-R", "-f", "/dev/null", "."], tree.root, 1);
  return [
    {
      what: `full index, ${what}, ${tree.lines} lines`,
      figure: `${Math.round(rate)} lines/s`,
      beside: `${(ms / words).toFixed(1)} × ctags; at least ${target} lines/s`,
      isMet: rate >= target,
    },
  ];
}

/** What commands cost on a large project: memory and size of the index, a search, and nothing to do. */
export function knownProject(binary: string, { root, lines }: BenchTree, home: string): BenchRow[] {
  const at = { cwd: root, home };
  const index = runProgram(binary, ["code", "index", root, "--json"], at);
  const { statistics } = JSON.parse(index.stdout);
  const held = indexedBytes(root);
  const size = (statistics.index_size_mb * MEGABYTE) / held;
  const bare = timeOf(process.execPath, ["-e", "0"], root, ROUNDS);
  const searches = Array.from(
    { length: ROUNDS },
    () => runProgram(binary, ["search", "parse a duration"], at).ms,
  );
  const search = median(searches) / bare;
  const idle = Array.from(
    { length: ROUNDS },
    () =>
      JSON.parse(runProgram(binary, ["code", "index", root, "--json"], at).stdout).statistics
        .duration_seconds * 1000,
  );
  const listing = timeOf("git", ["ls-files", "-s"], root, ROUNDS);
  return [
    {
      what: `memory, indexing ${lines} lines`,
      figure: `${Math.round(index.peakMegabytes)} MB`,
      beside: `cpu ${(index.cpuMs / 1000).toFixed(1)} s; at most 350 MB`,
      isMet: index.peakMegabytes <= 350,
    },
    {
      what: `index size, ${statistics.chunks_created} chunks`,
      figure: `${size.toFixed(2)} × the source`,
      beside: `${statistics.index_size_mb} MB; at most 1.6 ×`,
      isMet: size <= 1.6,
    },
    {
      what: "command line search, index known",
      figure: `${search.toFixed(1)} ×`,
      beside: `bare Node, ${bare.toFixed(0)} ms; at most 2.2 ×`,
      isMet: search <= 2.2,
    },
    {
      what: "nothing changed, new process",
      figure: `${median(idle).toFixed(0)} ms`,
      beside: `${(median(idle) / listing).toFixed(1)} × git ls-files -s; at most 1.2 ×`,
      isMet: median(idle) <= 1.2 * listing,
    },
  ];
}

function indexedBytes(root: string): number {
  const sizes = gitAt(root, "ls-tree", "-r", "-l", "HEAD").split("\n");
  return sizes.reduce((sum, line) => sum + Number(/\s(\d+)\t/.exec(line)?.[1] ?? 0), 0);
}

/** Appends a comment to ten source files, others in each round. */
export function changeTenFiles(root: string, round: number): void {
  const sources = gitAt(root, "ls-files", "-z")
    .split("\0")
    .filter((path) => languageOf(path) !== undefined && !/(?:^|\/)vendor\//.test(path));
  for (let at = 0; at < 10; at++)
    appendFileSync(
      join(root, sources[(at * 397 + round * 31) % sources.length] ?? ""),
      `\n// changed ${round}\n`,
    );
}
