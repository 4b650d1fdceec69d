import { kindsOf } from "../../../core/files/path-kinds.ts";
import type { CodeStore } from "../store/code-store.ts";
import { readLines } from "../store/stored-contents.ts";
import type { NavigableFile } from "./navigation-tree.ts";

interface TestLines {
  readonly start: number;
  readonly end: number;
}

const MAX_LINES = 50_000;
const TEST_MODULE = /^\s*#\[\s*cfg\s*\(\s*(?:all\s*\(\s*)?test\b/;
const TEST_FUNCTION = /^\s*#\[\s*(?:[\w:]+::)?(?:test|rstest|quickcheck|bench)\s*(?:\(.*)?\]/;

export const isTestPath = (path: string): boolean => kindsOf(path).includes("test");

/** Tells tests from other code. In Rust, tests stand in the file that they test. */
export class TestCode {
  readonly #code: CodeStore;
  readonly #byFile = new Map<number, readonly TestLines[]>();

  constructor(code: CodeStore) {
    this.#code = code;
  }

  has(file: NavigableFile, line: number): boolean {
    if (isTestPath(file.path)) return true;
    if (file.language !== "rust") return false;
    return this.#linesOf(file).some(({ start, end }) => start <= line && line <= end);
  }

  #linesOf(file: NavigableFile): readonly TestLines[] {
    const known = this.#byFile.get(file.id);
    if (known) return known;
    const found = testLines(readLines(this.#code.store, file, 1, MAX_LINES));
    this.#byFile.set(file.id, found);
    return found;
  }
}

/** The items of a Rust file below `#[cfg(test)]` and `#[test]`. */
function testLines(lines: readonly string[]): TestLines[] {
  const found: TestLines[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (!TEST_MODULE.test(line) && !TEST_FUNCTION.test(line)) continue;
    const end = endOfItem(lines, at);
    found.push({ start: at + 1, end: end + 1 });
    at = end;
  }
  return found;
}

/** Formatted code closes an item with a brace as far to the left as its first line. */
function endOfItem(lines: readonly string[], from: number): number {
  const indent = /^\s*/.exec(lines[from] ?? "")?.[0] ?? "";
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith(`${indent}}`)) return at;
    const isWhole =
      !line.startsWith(`${indent} `) && !line.startsWith(`${indent}\t`) && /[;}]\s*$/.test(line);
    if (isWhole && line.trim() !== "") return at;
  }
  return lines.length - 1;
}
