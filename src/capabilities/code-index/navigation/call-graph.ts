import type { ParsedReference } from "../../../core/parse/references/references.ts";
import type { CodeStore } from "../store/code-store.ts";
import { lineText } from "./find-references.ts";
import { definitionAround, findDefinitions, type SymbolQuestion } from "./find-symbol.ts";
import type { NavigableFile } from "./navigation-tree.ts";
import type { Definition } from "./navigator.ts";
import { type FoundReference, isSame, ReferenceFinder } from "./references.ts";
import type { CallNode, CallsOutput, Confidence, DIRECTIONS } from "./schemas.ts";

export interface CallsQuestion extends SymbolQuestion {
  readonly direction: (typeof DIRECTIONS)[number];
  readonly depth: number;
  /** Tokens of the answer, roughly. */
  readonly budget: number;
}
interface FoundCall {
  readonly definition: Definition;
  readonly at: number;
  readonly confidence: Confidence;
}
const MAX_ROOTS = 5;
const BYTES_PER_TOKEN = 3;
/** Each of them is a search of its own. The others are shown without their calls. */
const MAX_EXPANDED = 20;
/** Of more functions with one name, none is likely. */
const MAX_CANDIDATES = 3;
const CALLABLE = new Set(["function", "method", "macro"]);

/** Who calls a symbol, or what it calls, as a tree. */
export function callGraph(code: CodeStore, question: CallsQuestion): Omit<CallsOutput, "files_changed"> {
  const roots = findDefinitions(code, question).slice(0, MAX_ROOTS);
  const graph = new CallGraph(code, question);
  return {
    symbol: question.symbol,
    direction: question.direction,
    roots: roots.flatMap((root) => (graph.isFull ? [] : [graph.rootOf(root)])),
  };
}

/** The functions that call a declaration, without those that only share a name. */
export function callersOf(
  finder: ReferenceFinder,
  definition: Definition,
  references: readonly FoundReference[] = finder.find(definition, { isNearOnly: true }),
): readonly FoundCall[] {
  const isCallable = CALLABLE.has(definition.kind);
  const calls = references.flatMap(({ file, line, kind, confidence }) => {
    if (confidence === "name only" || kind === "import" || (isCallable && kind === "type")) return [];
    const around = definitionAround(finder.navigator, file, line);
    return around && !isSame(around, definition) ? [{ definition: around, at: line, confidence }] : [];
  });
  return distinctCalls(calls);
}

/** The declarations that the lines of another one call. */
export function calleesOf(finder: ReferenceFinder, definition: Definition): readonly FoundCall[] {
  const { file, startLine, endLine } = definition;
  const references = [...finder.navigator.namesOf(file).all()]
    .filter(({ kind, line }) => kind === "call" && startLine <= line && line <= endLine)
    .sort((a, b) => a.line - b.line || a.column - b.column);
  // The same name on the same path has one meaning, however often it stands there.
  const meanings = new Set<unknown>();
  const calls = references.flatMap((reference): FoundCall[] => {
    const found = finder.resolver.resolve(file, reference);
    const meaning = found.state === "found" ? found : `${reference.name}\0${reference.on ?? ""}`;
    if (meanings.has(meaning)) return [];
    meanings.add(meaning);
    return meantBy(finder, file, reference).filter(({ definition: target }) => !isSame(target, definition));
  });
  return distinctCalls(calls);
}

/** What a call may mean: what the files tell, or the few functions with its name. */
function meantBy(finder: ReferenceFinder, file: NavigableFile, reference: ParsedReference): FoundCall[] {
  const found = finder.resolver.resolve(file, reference);
  const at = reference.line;
  if (found.state === "found")
    return found.definitions.map((definition) => ({ definition, at, confidence: "resolved" }));
  const candidates = found.state === "unknown" ? finder.navigator.definitions(reference.name) : [];
  if (candidates.length > MAX_CANDIDATES) return [];
  return candidates
    .filter((definition) => finder.confidence(file, reference, definition) === "probable")
    .map((definition) => ({ definition, at, confidence: "probable" }));
}

function distinctCalls(calls: readonly FoundCall[]): readonly FoundCall[] {
  const distinct = new Map<string, FoundCall>();
  for (const call of calls) {
    const key = keyOf(call.definition);
    if (!distinct.has(key)) distinct.set(key, call);
  }
  return [...distinct.values()];
}

const keyOf = ({ file, startLine, name }: Definition) => `${file.id}:${startLine}:${name}`;

class CallGraph {
  readonly #code: CodeStore;
  readonly #finder: ReferenceFinder;
  readonly #question: CallsQuestion;
  readonly #expanded = new Set<string>();
  #left: number;

  constructor(code: CodeStore, question: CallsQuestion) {
    this.#code = code;
    this.#finder = new ReferenceFinder(code);
    this.#question = question;
    this.#left = question.budget * BYTES_PER_TOKEN;
  }

  /** No more is looked for, and what was not looked at is not shown as a root. */
  get isFull(): boolean {
    return this.#left <= 0 || this.#expanded.size >= MAX_EXPANDED;
  }

  rootOf(definition: Definition): CallNode {
    const root = this.#nodeOf(definition, undefined);
    // Level by level: near calls count more than what is left of the budget for far ones.
    let level: { node: CallNode; definition: Definition }[] = [{ node: root, definition }];
    for (let depth = 0; depth < this.#question.depth; depth++) {
      level = level.flatMap(({ node, definition: one }) => this.#expand(node, one));
    }
    return root;
  }

  #expand(node: CallNode, definition: Definition): { node: CallNode; definition: Definition }[] {
    if (this.#expanded.has(keyOf(definition))) {
      node.is_repeated = true;
      return [];
    }
    if (this.isFull) return [];
    this.#expanded.add(keyOf(definition));
    const calls =
      this.#question.direction === "callers"
        ? callersOf(this.#finder, definition)
        : calleesOf(this.#finder, definition);
    const next: { node: CallNode; definition: Definition }[] = [];
    for (const call of calls) {
      if (this.#left <= 0) break;
      const child = this.#nodeOf(call.definition, call);
      node.calls.push(child);
      next.push({ node: child, definition: call.definition });
    }
    if (calls.length > next.length) node.more = calls.length - next.length;
    return next;
  }

  #nodeOf(definition: Definition, call: FoundCall | undefined): CallNode {
    const { file, name, parent, startLine } = definition;
    const isCaller = call !== undefined && this.#question.direction === "callers";
    const text = lineText(this.#code, file, isCaller ? call.at : startLine);
    this.#left -= text.length + file.path.length + name.length + 12;
    return {
      name: parent === "" ? name : `${parent}.${name}`,
      path: file.path,
      line: startLine,
      ...(call && { at: call.at, confidence: call.confidence }),
      text,
      calls: [],
    };
  }
}
