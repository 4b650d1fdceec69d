import type {
  CodeIndex,
  IndexedSymbol,
  SearchHit,
  SymbolLocation,
} from "../../capabilities/code-index/index.ts";
import {
  type Freshness,
  fileRoleOf,
  type PackItem,
  type PackRequest,
} from "../../capabilities/packs/index.ts";
import { byCodeUnit } from "../../core/order.ts";
import { mentionedIn, mentions } from "./code-lines.ts";
import { codeSizes, type SymbolLines } from "./code-sizes.ts";
import type { ScoredHit } from "./hit-scores.ts";
import { OpenFiles } from "./open-files.ts";
import { isProse, labelOf } from "./text-files.ts";

const MOST_CALLED = 3;
const MOST_TEST_FILES = 3;
const MOST_INTERFACES = 2;
/** Score of a neighbour relative to its hit: the surer the connection, the higher. */
const NEIGHBOUR_SCORE = { called: 0.5, test: 0.5, interface: 0.45, caller: 0.4 } as const;
/** A changed symbol matters to the task even if no word matches. */
const CHANGED_SCORE = 0.85;
/** The first lines of a file match many words and say little. */
const PACKAGE_FACTOR = 0.6;
/** A line such as `const limit = 5` says little that its name does not. */
const NAMED_VALUES: ReadonlySet<string> = new Set(["const", "var"]);
/** Of a longer symbol, only the part that was found is given. */
const LONGEST_SYMBOL = 400;
/** A shorter class is given whole, with its members. */
const SHORT_TYPE = 30;

interface CollectedSymbol extends SymbolLines {
  readonly name: string;
  readonly freshness: Freshness;
  /** The symbol that led to this one. */
  readonly ledBy?: string;
  /** The lines that the search found. */
  readonly found?: { readonly start: number; readonly end: number };
}

/** Collects symbols for a pack, each once, with the best reason found for it. */
export class CodeCollector {
  readonly #items = new Map<string, PackItem>();
  readonly #files: OpenFiles;
  readonly #code: CodeIndex;
  readonly #root: string;
  /** Words of the task, in lower case. */
  readonly #words: readonly string[];

  constructor(code: CodeIndex, root: string, words: readonly string[]) {
    this.#files = new OpenFiles(code, root);
    this.#code = code;
    this.#root = root;
    this.#words = words;
  }

  items(): PackItem[] {
    return [...this.#items.values()].sort((a, b) => b.score - a.score || byCodeUnit(a.id, b.id));
  }

  async addHits(hits: readonly ScoredHit[], signal: AbortSignal): Promise<void> {
    await this.#files.open(
      hits.map(({ hit }) => hit.file.path),
      signal,
    );
    for (const { hit, score } of hits) this.#addHit(hit, score);
  }

  /** The symbols whose lines a change touches. Returns them, source files first. */
  async addTouched(changes: PackRequest["changes"], signal: AbortSignal): Promise<IndexedSymbol[]> {
    await this.#files.open(
      changes.map(({ path }) => path),
      signal,
    );
    const touched = changes.flatMap(({ path, lines }) =>
      this.#files
        .at(path)
        .symbols.filter((symbol) =>
          lines.some(({ start, end }) => start <= symbol.end_line && end >= symbol.line),
        ),
    );
    for (const symbol of touched) this.#addSymbol(symbol, CHANGED_SCORE, { why: "touched by the change" });
    return touched.filter(({ path }) => fileRoleOf(path) === "source");
  }

  /** What a reader of a symbol looks at next: the symbols it uses in its file, its tests, interfaces and callers. */
  async addNeighbours(place: SymbolLocation, score: number, signal: AbortSignal): Promise<void> {
    const near = (kind: keyof typeof NEIGHBOUR_SCORE) => score * NEIGHBOUR_SCORE[kind];
    const symbol = this.#files.at(place.path).symbols.find(({ name }) => name === place.name);
    if (symbol === undefined) return;
    const ledBy = place.name;
    for (const called of this.#calledBy(symbol).slice(0, MOST_CALLED))
      this.#addSymbol(called, near("called"), { why: `used by ${ledBy}` });
    const { callers, tests, interfaces } = await this.#code.neighbours(this.#root, place, signal);
    const testFiles = tests.slice(0, MOST_TEST_FILES);
    const types = interfaces.slice(0, MOST_INTERFACES);
    await this.#files.open([...testFiles, ...[...types, ...callers].map(({ path }) => path)], signal);
    for (const test of testFiles) {
      const testing = this.#firstMentioning(test, ledBy);
      if (testing) this.#addSymbol(testing, near("test"), { why: `tests ${ledBy}`, ledBy });
    }
    for (const type of types) this.#addSymbol(type, near("interface"), { why: `implemented by ${ledBy}` });
    for (const caller of callers) {
      const isTest = fileRoleOf(caller.path) === "test";
      const why = `${isTest ? "tests" : "uses"} ${ledBy}`;
      this.#addSymbol(caller, near(isTest ? "test" : "caller"), { why, ledBy });
    }
  }

  #addHit(hit: SearchHit, score: number): void {
    const { path, start_line, end_line } = hit.file;
    const found = this.#files
      .at(path)
      .symbols.find(
        ({ name, line, end_line: last }) =>
          name === hit.symbol.name && line <= end_line && last >= start_line,
      );
    const isWhole =
      found !== undefined &&
      found.end_line - found.line < LONGEST_SYMBOL &&
      this.#headOf(found) === found.end_line;
    this.#add(
      {
        path,
        name: hit.symbol.name || path,
        line: isWhole ? found.line : start_line,
        endLine: isWhole ? found.end_line : end_line,
        freshness: hit.fresh === false ? "changed since indexed" : "fresh",
        found: { start: start_line, end: end_line },
      },
      score * (hit.symbol.kind === "package" ? PACKAGE_FACTOR : 1),
      "matches the task",
    );
  }

  /** The last line of a symbol, or of its part before its first member: members are items of their own. */
  #headOf({ path, line, end_line }: IndexedSymbol): number {
    if (end_line - line < SHORT_TYPE) return end_line;
    const members = this.#files
      .at(path)
      .symbols.filter((other) => other.line > line && other.end_line <= end_line);
    return members.reduce((first, member) => Math.min(first, member.line - 1), end_line);
  }

  #calledBy(symbol: IndexedSymbol): IndexedSymbol[] {
    const { lines, symbols } = this.#files.at(symbol.path);
    const isMentioned = mentionedIn(lines.slice(symbol.line - 1, symbol.end_line));
    return symbols.filter(
      (other) =>
        other.name !== symbol.name &&
        !NAMED_VALUES.has(other.kind) &&
        (other.end_line < symbol.line || other.line > symbol.end_line) &&
        isMentioned(other.name),
    );
  }

  #firstMentioning(path: string, name: string): IndexedSymbol | undefined {
    const { lines, symbols } = this.#files.at(path);
    return symbols.find((symbol) => mentions(lines.slice(symbol.line - 1, symbol.end_line), name));
  }

  #addSymbol(
    symbol: IndexedSymbol,
    score: number,
    { why, ledBy }: { readonly why: string; readonly ledBy?: string },
  ): void {
    const { path, name, line } = symbol;
    const collected: CollectedSymbol = {
      path,
      name,
      line,
      endLine: Math.min(this.#headOf(symbol), line + LONGEST_SYMBOL),
      freshness: this.#files.at(path).fresh ? "fresh" : "changed since indexed",
      ...(ledBy !== undefined && { ledBy }),
    };
    this.#add(collected, score, why);
  }

  #add(symbol: CollectedSymbol, score: number, why: string): void {
    const { path, name, line, ledBy, found } = symbol;
    const id = `code:${path}#${name}@${line}`;
    const known = this.#items.get(id);
    if (known && known.score >= score) return;
    const focus = {
      words: this.#words,
      ...(ledBy !== undefined && { name: ledBy }),
      ...(found && { found }),
    };
    const renditions = codeSizes(symbol, this.#files.at(path).lines, focus);
    if (renditions.length === 0) return;
    this.#items.set(id, {
      id,
      room: "code-index",
      kind: isProse(path) ? "document" : "code",
      role: fileRoleOf(path),
      title: name,
      score,
      why,
      provenance: "",
      freshness: symbol.freshness,
      language: labelOf(path),
      sizes: renditions,
    });
  }
}
