import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanProject } from "../src/core/scan/scan.ts";

/** A scan of a git tree against `git ls-files -s` in the same run. */
const count = Number(process.argv[2] ?? 10_000);
const root = mkdtempSync(join(tmpdir(), "contextful-bench-"));
try {
  for (let index = 0; index < count; index++) {
    const directory = join(root, `d${index % 100}`, `e${index % 10}`);
    if (index < 1000) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file${index}.ts`), `export const x${index} = ${index};\n`);
  }
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, maxBuffer: 1e9 });
  git("init", "-q");
  git("add", ".");
  const times = { git: [] as number[], scan: [] as number[] };
  for (let round = 0; round < 15; round++) {
    let began = performance.now();
    git("ls-files", "-s");
    times.git.push(performance.now() - began);
    began = performance.now();
    await scanProject(root);
    times.scan.push(performance.now() - began);
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  const [plain, scan] = [median(times.git), median(times.scan)];
  console.log(
    `${count} files: git ls-files -s ${plain.toFixed(1)} ms, scan ${scan.toFixed(1)} ms, ratio ${(scan / plain).toFixed(2)}`,
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
