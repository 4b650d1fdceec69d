import type { ReferenceKind } from "../../../core/parse/references/references.ts";
import type { CodeStore } from "../store/code-store.ts";
import { readLines } from "../store/stored-contents.ts";
import { findDefinitions, foundSymbol, type SymbolQuestion } from "./find-symbol.ts";
import type { NavigableFile } from "./navigation-tree.ts";
import type { Definition } from "./navigator.ts";
import { type FoundReference, ReferenceFinder } from "./references.ts";
import { CONFIDENCES, type ReferencesOutput } from "./schemas.ts";
import { TestCode } from "./test-code.ts";

/** More definitions of one name are too many to tell apart: the question must be narrower. */
const MAX_DEFINITIONS = 12;
const MAX_LINE = 160;

export interface ReferencesQuestion extends SymbolQuestion {
  readonly kinds: readonly ReferenceKind[] | undefined;
  readonly limit: number;
}

/** The uses of a symbol by file: sure ones first, tests last. */
export function findReferences(
  code: CodeStore,
  question: ReferencesQuestion,
): Omit<ReferencesOutput, "files_changed"> {
  const definitions = findDefinitions(code, question).slice(0, MAX_DEFINITIONS);
  const all = referencesOfAll(new ReferenceFinder(code), definitions).filter(
    ({ kind }) => question.kinds?.includes(kind) ?? true,
  );
  const tests = new TestCode(code);
  const marked = all.map((reference) => ({ reference, isTest: tests.has(reference.file, reference.line) }));
  const ordered = marked.sort((a, b) => Number(a.isTest) - Number(b.isTest));
  return {
    symbol: question.symbol,
    definitions: definitions.map((one) => foundSymbol(code, one)),
    files: groupByFile(code, ordered.slice(0, question.limit)),
    total: all.length,
    by_confidence: counted(all.map(({ confidence }) => confidence)),
    by_kind: counted(all.map(({ kind }) => kind)),
  };
}

/** Each use once, with the most certain of its meanings. */
function referencesOfAll(
  finder: ReferenceFinder,
  definitions: readonly Definition[],
): readonly FoundReference[] {
  if (definitions.length === 1 && definitions[0]) return finder.find(definitions[0]);
  const best = new Map<string, FoundReference>();
  for (const reference of definitions.flatMap((one) => finder.find(one))) {
    const key = `${reference.file.id}:${reference.line}:${reference.column}`;
    const known = best.get(key);
    if (!known || rank(reference) < rank(known)) best.set(key, reference);
  }
  return [...best.values()].sort((a, b) => rank(a) - rank(b));
}

const rank = ({ confidence }: FoundReference) => CONFIDENCES.indexOf(confidence);

export function lineText(code: CodeStore, file: NavigableFile, line: number): string {
  return (readLines(code.store, file, line, line)[0] ?? "").trim().slice(0, MAX_LINE);
}

/** A Rust file with tests of its own stands in the list twice. */
function groupByFile(
  code: CodeStore,
  references: readonly { readonly reference: FoundReference; readonly isTest: boolean }[],
): ReferencesOutput["files"] {
  const files = new Map<string, { file: NavigableFile; isTest: boolean; references: FoundReference[] }>();
  for (const { reference, isTest } of references) {
    const key = `${reference.file.id} ${isTest}`;
    const known = files.get(key);
    if (known) known.references.push(reference);
    else files.set(key, { file: reference.file, isTest, references: [reference] });
  }
  return [...files.values()].map(({ file, isTest, references: found }) => ({
    path: file.path,
    is_test: isTest,
    references: found.map(({ line, column, kind, confidence }) => ({
      line,
      column,
      kind,
      confidence,
      text: lineText(code, file, line),
    })),
  }));
}

function counted(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
