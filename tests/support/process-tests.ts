import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/**
 * Test files that start processes (git, the built binary), themselves or through a helper under `tests/`. They need more
 * time on a busy machine. Found by their imports, so that a new test cannot be forgotten.
 */
export const processTests = (): string[] =>
  [...testsUnder("src"), ...testsUnder("tests")].filter((file) => startsProcesses(file, new Set()));

const testsUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts") && !/^tests\/(long|browser)\//.test(file));

function startsProcesses(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  if (text.includes('"node:child_process"')) return true;
  return [...text.matchAll(/^(?:import|\}) .*?from "(\.[^"]+)";$/gm)]
    .map(([, path = ""]) => normalize(join(dirname(file), path)).replaceAll("\\", "/"))
    .some((path) => path.startsWith("tests/") && startsProcesses(path, seen));
}
