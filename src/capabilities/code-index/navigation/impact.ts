import { DomainError } from "../../../core/errors.ts";
import { runGit } from "../../../core/git/git.ts";
import { type FilePatch, parsePatch } from "../../../core/git/patch.ts";
import { byCodeUnit } from "../../../core/order.ts";
import type { CodeStore } from "../store/code-store.ts";
import { callersOf } from "./call-graph.ts";
import { definitionAround, foundSymbol } from "./find-symbol.ts";
import { type Definition, type Navigator, navigatorOf } from "./navigator.ts";
import { ReferenceFinder } from "./references.ts";
import type { Confidence, ImpactOutput } from "./schemas.ts";
import { TestCode } from "./test-code.ts";

/** Lines that a diff changes, by file. */
type ChangedLines = ReadonlyMap<string, readonly number[]>;

const MAX_CHANGED = 60;
const MAX_CALLERS = 120;
/** Tests reach a change through this many calls. */
const TEST_DEPTH = 3;

/** The lines that a range of commits changes, as they are after it; without a range, what is not committed. */
export async function changedLines(root: string, range: string, signal: AbortSignal): Promise<ChangedLines> {
  if (range.startsWith("-")) throw notARange(range);
  const args = [
    "diff",
    "--no-renames",
    "-U0",
    "--inter-hunk-context=0",
    "--no-color",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--relative",
    range === "" ? "HEAD" : range,
    "--",
  ];
  const { code, stdout } = await runGit(args, { cwd: root, signal });
  if (code !== 0) throw notARange(range);
  return linesOf(parsePatch(stdout.toString("utf8")));
}

function linesOf(files: readonly FilePatch[]): ChangedLines {
  const lines = new Map<string, readonly number[]>();
  for (const { path, oldPath, hunks } of files) {
    // A deletion is a change of the line before it.
    const changed = hunks.flatMap(({ start, count }) =>
      Array.from({ length: Math.max(1, count) }, (_, line) => start + line),
    );
    lines.set(path ?? oldPath ?? "", changed);
  }
  return lines;
}

const notARange = (range: string) =>
  new DomainError(
    "invalid_input",
    `Git cannot compare ${range}. Name a commit, or a range such as main..HEAD.`,
    {
      reason: "wrong_range",
      details: { param: "range" },
    },
  );

/** What changed lines belong to, who calls that, and which tests reach it. */
export function impactOf(
  code: CodeStore,
  changed: ChangedLines,
): Omit<ImpactOutput, "files_changed" | "range"> {
  const navigator = navigatorOf(code);
  const definitions = changedDefinitions(navigator, changed).slice(0, MAX_CHANGED);
  const finder = new ReferenceFinder(code);
  const testCode = new TestCode(code);
  const isTest = ({ file, startLine }: Definition) => testCode.has(file, startLine);
  const callers = new Map<string, { definition: Definition; calls: string; confidence: Confidence }>();
  const tests = new Set<string>();
  let level = definitions;
  for (let depth = 0; depth < TEST_DEPTH && level.length > 0; depth++) {
    const next: Definition[] = [];
    for (const definition of level) {
      for (const { definition: caller, confidence } of callersOf(finder, definition)) {
        const key = `${caller.file.id}:${caller.startLine}:${caller.name}`;
        if (isTest(caller)) tests.add(caller.file.path);
        if (callers.has(key) || callers.size >= MAX_CALLERS) continue;
        callers.set(key, { definition: caller, calls: definition.name, confidence });
        next.push(caller);
      }
    }
    level = next;
  }
  const production = [...callers.values()].filter(({ definition }) => !isTest(definition));
  return {
    changed: definitions.map((one) => foundSymbol(code, one)),
    callers: production.map(({ definition, calls, confidence }) => ({
      ...foundSymbol(code, definition),
      calls,
      confidence,
    })),
    tests: [...tests].sort(byCodeUnit),
  };
}

/** The innermost declarations around changed lines; a class only if no member of it is around the line. */
function changedDefinitions(navigator: Navigator, changed: ChangedLines): Definition[] {
  const found = new Map<string, Definition>();
  for (const [path, lines] of changed) {
    const file = navigator.tree.fileAt(path);
    if (!file) continue;
    for (const line of lines) {
      const inner = definitionAround(navigator, file, line);
      if (inner) found.set(`${file.id}:${inner.startLine}:${inner.name}`, inner);
    }
  }
  return [...found.values()];
}
