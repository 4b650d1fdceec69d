/**
 * All targets of speed in one table: `npm run bench [-- --go REPOSITORY --mixed REPOSITORY --lines 1000000 --probe BINARY]`.
 * Each row stands beside what it was compared with in the same run. Read docs/PERFORMANCE.md for the reasons of a miss.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { firstAnswer, fullIndex, knownProject } from "./bench-commands.ts";
import { reportRivals } from "./bench-rivals.ts";
import { serverRows } from "./bench-server.ts";
import { type BenchRow, buildProgram, copyTree } from "./bench-tools.ts";

const DEFAULT_TREE = "/usr/share/go-1.19/src";
const FIRST_LINES = 50_000;

const { values } = parseArgs({
  options: {
    tree: { type: "string", default: DEFAULT_TREE },
    go: { type: "string" },
    mixed: { type: "string" },
    lines: { type: "string", default: "1000000" },
    probe: { type: "string" },
  },
});
const scratch = mkdtempSync(join(tmpdir(), "contextful-bench-"));
const built = buildProgram();
const { binary } = built;
console.log(`load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`);
try {
  const small = copyTree(values.tree, join(scratch, "small"), FIRST_LINES);
  show(firstAnswer(binary, small, join(scratch, "home-small")));
  for (const [what, repository, target] of [
    ["Go", values.go, 100_000],
    ["mixed files", values.mixed, 80_000],
  ] as const) {
    if (repository === undefined) continue;
    const tree = copyTree(repository, join(scratch, what), Number.POSITIVE_INFINITY);
    show(await fullIndex({ binary, tree, what, target, home: join(scratch, `home-${what}`) }));
  }
  const large = copyTree(values.tree, join(scratch, "large"), Number(values.lines));
  const home = join(scratch, "home");
  show(knownProject(binary, large, home));
  show(await serverRows(binary, large, home));
  show(startRow());
  reportRivals({ binary, tree: small, home: join(scratch, "home-small"), scratch, probe: values.probe });
} finally {
  rmSync(scratch, { recursive: true, force: true });
  built[Symbol.dispose]();
}

function show(rows: readonly BenchRow[]): void {
  for (const { what, figure, beside, isMet } of rows)
    console.log(`${isMet ? "pass" : "MISS"}  ${what.padEnd(44)} ${figure.padEnd(26)} ${beside}`);
}

function startRow(): BenchRow[] {
  const { stdout } = spawnSync(
    process.execPath,
    ["scripts/run.mjs", "scripts/bench-start.ts", "15", binary],
    {
      encoding: "utf8",
    },
  );
  const ratio = Number(/contextful\s+\d+ ms\s+([\d.]+)×/.exec(stdout)?.[1]);
  return [
    {
      what: "server start to tools/list",
      figure: `${ratio.toFixed(2)} ×`,
      beside: "a bare Node echo; at most 2.0 ×",
      isMet: ratio <= 2,
    },
  ];
}
