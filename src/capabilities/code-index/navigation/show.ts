import { changedSince } from "../show.ts";
import type {
  CallNode,
  CallsOutput,
  FoundSymbol,
  ImpactOutput,
  OutlineOutput,
  ReferencesOutput,
  SymbolOutput,
  UnusedOutput,
} from "./schemas.ts";

const MAX_SIGNATURE = 120;
const MAX_DOC = 80;
const MAX_SHOWN_DEFINITIONS = 5;

export function showSymbol({ symbol, definitions, total, source, files_changed }: SymbolOutput): string {
  const [only] = definitions;
  if (!only) return notFound(symbol, files_changed);
  if (source !== undefined) {
    const head = `${only.path}:${only.line}-${only.end_line} ${titleOf(only)}`;
    return [head, ...(only.doc === "" ? [] : [only.doc]), source, ...changedSince(files_changed)].join("\n");
  }
  const more =
    total > definitions.length ? [`${total - definitions.length} more. Name the type or the path.`] : [];
  return [...definitions.map(showDefinition), ...more, ...changedSince(files_changed)].join("\n");
}

/** One line of code for each use; a mark for those that are not sure. */
export function showReferences(output: ReferencesOutput): string {
  const { symbol, definitions, files, total, by_confidence, by_kind, files_changed } = output;
  if (definitions.length === 0) return notFound(symbol, files_changed);
  const shown = files.reduce((sum, { references }) => sum + references.length, 0);
  const kinds = Object.entries(by_kind).map(([kind, count]) => `${count} ${kind}`);
  const sure = Object.entries(by_confidence).map(([confidence, count]) => `${count} ${confidence}`);
  const blocks = [false, true].flatMap((isTest) => {
    const group = files.filter((file) => file.is_test === isTest);
    if (group.length === 0) return [];
    return [...(isTest ? ["Tests:"] : []), ...group.flatMap(showFile)];
  });
  return [
    ...definitions.slice(0, MAX_SHOWN_DEFINITIONS).map(showDefinition),
    ...(definitions.length > MAX_SHOWN_DEFINITIONS
      ? [`and ${definitions.length - MAX_SHOWN_DEFINITIONS} more definitions`]
      : []),
    total === 0 ? "No references." : `${total} references: ${sure.join(", ")} (${kinds.join(", ")})`,
    ...blocks,
    ...(total > shown ? [`${total - shown} more. A higher limit, a kind or Type.method shows others.`] : []),
    ...changedSince(files_changed),
  ].join("\n");
}

export function showCalls({ symbol, direction, roots, files_changed }: CallsOutput): string {
  if (roots.length === 0) return notFound(symbol, files_changed);
  const trees = roots.flatMap((root) => [
    `${root.path}:${root.line} ${root.name}${root.calls.length > 0 ? "" : root.is_repeated ? ": above" : `: no ${direction}`}`,
    ...root.calls.flatMap((call) => showCall(call, direction, 1)),
    ...moreCalls(root, 1),
  ]);
  return [...trees, ...changedSince(files_changed)].join("\n");
}

export function showOutline({ path, files, more_files, files_changed }: OutlineOutput): string {
  if (files.length === 0) return [`No symbols in ${path}.`, ...changedSince(files_changed)].join("\n");
  const blocks = files.flatMap(({ path: file, symbols, more }) => {
    const names = new Set(symbols.map(({ name }) => name));
    const lines = symbols.map((one) => {
      const indent = one.parent !== undefined && names.has(one.parent) ? "    " : "  ";
      const doc = one.doc.split("\n", 1)[0]?.slice(0, MAX_DOC) ?? "";
      const owner = indent === "  " && one.parent !== undefined ? `${one.parent}.` : "";
      return `${indent}${one.line}-${one.end_line} ${owner}${one.signature.slice(0, MAX_SIGNATURE)}${doc === "" ? "" : `  // ${doc}`}`;
    });
    return [file, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
  });
  const rest = more_files > 0 ? [`${more_files} more files. Name a directory or a file.`] : [];
  return [...blocks, ...rest, ...changedSince(files_changed)].join("\n");
}

export function showUnused({ definitions, total, files_changed }: UnusedOutput): string {
  if (total === 0) return ["Everything is used.", ...changedSince(files_changed)].join("\n");
  const lines = definitions.map((one) => `${one.path}:${one.line}  ${one.confidence}  ${titleOf(one)}`);
  const more = total > definitions.length ? [`${total - definitions.length} more; --limit shows them.`] : [];
  return [...lines, ...more, ...changedSince(files_changed)].join("\n");
}

export function showImpact({ changed, callers, tests, files_changed }: ImpactOutput): string {
  if (changed.length === 0) return ["No symbol is changed.", ...changedSince(files_changed)].join("\n");
  return [
    "Changed:",
    ...changed.map((one) => `  ${one.path}:${one.line} ${titleOf(one)}`),
    ...(callers.length === 0 ? [] : ["Reached by calls:"]),
    ...callers.map(
      (one) => `  ${one.path}:${one.line} ${titleOf(one)} → ${one.calls}${mark(one.confidence)}`,
    ),
    tests.length === 0 ? "No test reaches it." : "Tests that reach it:",
    ...tests.map((path) => `  ${path}`),
    ...changedSince(files_changed),
  ].join("\n");
}

const titleOf = ({ kind, parent, name }: FoundSymbol) =>
  `${kind} ${parent === undefined ? "" : `${parent}.`}${name}`;
const showDefinition = (one: FoundSymbol) =>
  `${one.path}:${one.line} ${titleOf(one)}: ${one.signature.slice(0, MAX_SIGNATURE)}`;
const mark = (confidence: string | undefined) =>
  confidence === undefined || confidence === "resolved" ? "" : ` (${confidence})`;

/** One line of code is shown once, even if it uses the symbol several times. */
function showFile({ path, references }: ReferencesOutput["files"][number]): string[] {
  const lines = references.map(
    ({ line, kind, confidence, text }) => `  ${line} ${kind}${mark(confidence)}: ${text}`,
  );
  return [path, ...new Set(lines)];
}

function showCall(node: CallNode, direction: CallsOutput["direction"], depth: number): string[] {
  const indent = "  ".repeat(depth);
  const line = direction === "callers" ? (node.at ?? node.line) : node.line;
  const again = node.is_repeated ? " (above)" : "";
  return [
    `${indent}${node.path}:${line} ${node.name}${mark(node.confidence)}${again}: ${node.text}`,
    ...node.calls.flatMap((call) => showCall(call, direction, depth + 1)),
    ...moreCalls(node, depth + 1),
  ];
}

const moreCalls = ({ more }: CallNode, depth: number) =>
  more === undefined ? [] : [`${"  ".repeat(depth)}and ${more} more`];

const notFound = (symbol: string, changed: number) =>
  [`No symbol is called ${symbol}. Search for it by words.`, ...changedSince(changed)].join("\n");
