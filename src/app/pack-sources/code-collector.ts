import type { CodeIndex, IndexedSymbol, SearchHit } from "../../capabilities/code-index/index.ts";
import type { Freshness, PackItem, PackRequest, Rendition } from "../../capabilities/packs/index.ts";
import { byCodeUnit } from "../../core/order.ts";
import { docStart, headEnd, mentionedIn, mentions } from "./code-lines.ts";
import { OpenFiles } from "./open-files.ts";
import { quote, sizes } from "./quote.ts";
import { isProse, labelOf } from "./text-files.ts";

const MOST_CALLED = 3;
const MOST_TEST_FILES = 3;
const MOST_INTERFACES = 2;
/** Score of a neighbour relative to its hit: the surer the connection, the higher. */
const NEIGHBOUR_SCORE = { called: 0.7, test: 0.65, interface: 0.6, caller: 0.5 } as const;
/** A changed symbol matters to the task even if no word matches. */
const CHANGED_SCORE = 0.85;
/** The first lines of a file match many words and say little. */
const PACKAGE_FACTOR = 0.6;
const LONGEST_SYMBOL = 150;
/** A shorter symbol is given whole or by name: its head alone would hardly be shorter. */
const WORTH_SHORTENING = 8;

interface SymbolLines {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
}
interface CollectedSymbol extends SymbolLines {
  readonly name: string;
  readonly language: string;
  readonly freshness: Freshness;
}

/** Collects symbols for a pack, each once, with the best reason found for it. */
export class CodeCollector {
  readonly #items = new Map<string, PackItem>();
  readonly #files: OpenFiles;
  readonly #code: CodeIndex;
  readonly #root: string;

  constructor(code: CodeIndex, root: string) {
    this.#files = new OpenFiles(code, root);
    this.#code = code;
    this.#root = root;
  }

  items(): PackItem[] {
    return [...this.#items.values()].sort((a, b) => b.score - a.score || byCodeUnit(a.id, b.id));
  }

  async addHits(hits: readonly SearchHit[], signal: AbortSignal): Promise<void> {
    await this.#files.open(
      hits.map(({ file }) => file.path),
      signal,
    );
    for (const hit of hits) this.#addHit(hit);
  }

  /** The symbols whose lines a change touches. */
  async addTouched(changes: PackRequest["changes"], signal: AbortSignal): Promise<void> {
    await this.#files.open(
      changes.map(({ path }) => path),
      signal,
    );
    for (const { path, lines } of changes)
      for (const symbol of this.#files.at(path).symbols)
        if (lines.some(({ start, end }) => start <= symbol.end_line && end >= symbol.line))
          this.#addSymbol(symbol, CHANGED_SCORE, "touched by the change");
  }

  /** What a reader of a hit looks at next: the symbols it calls in its file, its tests, interfaces and callers. */
  async addNeighbours(hit: SearchHit, signal: AbortSignal): Promise<void> {
    const place = { path: hit.file.path, name: hit.symbol.name };
    const near = (kind: keyof typeof NEIGHBOUR_SCORE) => hit.relevance_score * NEIGHBOUR_SCORE[kind];
    const symbol = this.#files.at(place.path).symbols.find(({ name }) => name === place.name);
    if (symbol === undefined) return;
    for (const called of this.#calledBy(symbol).slice(0, MOST_CALLED))
      this.#addSymbol(called, near("called"), `used by ${place.name}`);
    const { callers, tests, interfaces } = await this.#code.neighbours(this.#root, place, signal);
    const testFiles = tests.slice(0, MOST_TEST_FILES);
    const types = interfaces.slice(0, MOST_INTERFACES);
    await this.#files.open([...testFiles, ...[...types, ...callers].map(({ path }) => path)], signal);
    for (const test of testFiles) {
      const testing = this.#firstMentioning(test, place.name);
      if (testing) this.#addSymbol(testing, near("test"), `tests ${place.name}`);
    }
    for (const type of types) this.#addSymbol(type, near("interface"), `implemented by ${place.name}`);
    for (const caller of callers) this.#addSymbol(caller, near("caller"), `uses ${place.name}`);
  }

  #addHit(hit: SearchHit): void {
    const { path, start_line, end_line, language } = hit.file;
    const found = this.#files
      .at(path)
      .symbols.find(
        ({ name, line, end_line: last }) =>
          name === hit.symbol.name && line <= end_line && last >= start_line,
      );
    const isWhole = found !== undefined && found.end_line - found.line < LONGEST_SYMBOL;
    this.#add(
      {
        path,
        name: hit.symbol.name || path,
        line: isWhole ? found.line : start_line,
        endLine: isWhole ? found.end_line : end_line,
        language,
        freshness: hit.fresh === false ? "changed since indexed" : "fresh",
      },
      hit.relevance_score * (hit.symbol.kind === "package" ? PACKAGE_FACTOR : 1),
      "matches the task",
    );
  }

  #calledBy(symbol: IndexedSymbol): IndexedSymbol[] {
    const { lines, symbols } = this.#files.at(symbol.path);
    const isMentioned = mentionedIn(lines.slice(symbol.line - 1, symbol.end_line));
    return symbols.filter(
      (other) =>
        other.name !== symbol.name &&
        (other.end_line < symbol.line || other.line > symbol.end_line) &&
        isMentioned(other.name),
    );
  }

  #firstMentioning(path: string, name: string): IndexedSymbol | undefined {
    const { lines, symbols } = this.#files.at(path);
    return symbols.find((symbol) => mentions(lines.slice(symbol.line - 1, symbol.end_line), name));
  }

  #addSymbol({ path, name, line, end_line }: IndexedSymbol, score: number, why: string): void {
    const collected: CollectedSymbol = {
      path,
      name,
      line,
      endLine: Math.min(end_line, line + LONGEST_SYMBOL),
      language: labelOf(path),
      freshness: this.#files.at(path).fresh ? "fresh" : "changed since indexed",
    };
    this.#add(collected, score, why);
  }

  #add(symbol: CollectedSymbol, score: number, why: string): void {
    const id = `code:${symbol.path}#${symbol.name}@${symbol.line}`;
    const known = this.#items.get(id);
    if (known && known.score >= score) return;
    const renditions = symbolSizes(symbol, this.#files.at(symbol.path).lines);
    if (renditions.length === 0) return;
    this.#items.set(id, {
      id,
      room: "code-index",
      kind: isProse(symbol.path) ? "document" : "code",
      title: symbol.name,
      score,
      why,
      provenance: "",
      freshness: symbol.freshness,
      language: symbol.language,
      sizes: renditions,
    });
  }
}

/** The sizes at which a symbol can be given; `lines` are all lines of its file. */
function symbolSizes(symbol: SymbolLines, lines: readonly string[]): Rendition[] {
  if (lines.length === 0) return [missingFile(symbol)];
  return isProse(symbol.path) ? proseSizes(symbol, lines) : codeSizes(symbol, lines);
}

/** The file was deleted: there is nothing to quote, but the receipt names it. */
const missingFile = ({ path, line, endLine }: SymbolLines): Rendition => ({
  text: "",
  citation: { path, start: line, end: endLine },
});

const proseSizes = ({ path, line, endLine }: SymbolLines, lines: readonly string[]): Rendition[] =>
  sizes(quote(path, lines, line, endLine), quote(path, lines, line, line + 4));

function codeSizes(symbol: SymbolLines, lines: readonly string[]): Rendition[] {
  const { path, line, endLine } = symbol;
  const first = docStart(lines, line);
  const isLong = endLine - first >= WORTH_SHORTENING;
  return sizes(
    quote(path, lines, first, endLine),
    isLong ? quote(path, lines, first, headEnd(lines, symbol)) : undefined,
    quote(path, lines, line, line),
  );
}
