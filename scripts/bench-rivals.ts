import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type BenchTree, runProgram, timeOf } from "./bench-tools.ts";

interface Rivals {
  readonly binary: string;
  readonly tree: BenchTree;
  readonly home: string;
  readonly scratch: string;
  readonly probe: string | undefined;
}

/** The same tree with other programs: time to index it, time of a question, size of the index. */
export function reportRivals({ binary, tree: { root, lines }, home, scratch, probe }: Rivals): void {
  console.log(`\nother programs on ${lines} lines        index        question     size`);
  const tags = join(scratch, "tags");
  const csearch = join(scratch, "csearchindex");
  const isMissing = (command: string) => spawnSync(command, ["--version"]).error !== undefined;
  const index = (command: string, args: readonly string[]) =>
    isMissing(command) ? undefined : timeOf(command, args, root, 1);
  process.env["CSEARCHINDEX"] = csearch;
  const run = (...args: string[]) => runProgram(binary, ["code", ...args], { cwd: root, home });
  const ours = run("index", root, "--force", "--json");
  const megabytes = JSON.parse(ours.stdout).statistics.index_size_mb;
  const size = (file: string) =>
    `${((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1e6).toFixed(1)} MB`;
  const asked = (command: string, args: readonly string[]) =>
    isMissing(command) ? undefined : timeOf(command, args, root);
  say("contextful", ours.ms, run("search", root, "ParseDuration").ms, `${megabytes} MB`);
  say("ripgrep", undefined, asked("rg", ["-n", "-w", "ParseDuration", root]), "");
  say("git grep", undefined, asked("git", ["grep", "-n", "-w", "ParseDuration"]), "");
  say(
    "universal-ctags",
    index("ctags", ["-R", "-f", tags, "."]),
    asked("grep", ["-m1", "^ParseDuration", tags]),
    size(tags),
  );
  say("codesearch", index("cindex", [root]), asked("csearch", ["-n", "ParseDuration"]), size(csearch));
  if (probe !== undefined) say("probe", undefined, asked(probe, ["search", "ParseDuration", root]), "");
}

function say(who: string, index: number | undefined, question: number | undefined, size: string): void {
  const time = (ms: number | undefined) => (ms === undefined ? "" : `${ms.toFixed(0)} ms`);
  const cells = question === undefined ? ["not installed"] : [time(index), time(question), size];
  console.log(`${who.padEnd(36)}${cells.map((cell) => cell.padEnd(13)).join("")}`);
}
