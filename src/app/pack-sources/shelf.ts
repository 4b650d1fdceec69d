import type { CodeIndex, IndexedSymbol, SearchHit } from "../../capabilities/code-index/index.ts";
import type { Freshness, PackItem, PackRequest } from "../../capabilities/packs/index.ts";
import { byCodeUnit } from "../../core/order.ts";
import { mentionedIn, mentions } from "./code-lines.ts";
import { OpenFiles } from "./open-files.ts";
import { type Place, symbolSizes } from "./symbol-sizes.ts";
import { isProse, labelOf } from "./text-files.ts";

const MOST_CALLED = 3;
const MOST_TEST_FILES = 3;
const MOST_INTERFACES = 2;
/** What being next to a hit is worth, by how sure it is that the two belong together. */
const NEXT_TO = { called: 0.7, test: 0.65, interface: 0.6, caller: 0.5 } as const;
/** What a change touches bears on the task, whether or not it has its words. */
const TOUCHED = 0.85;
/** A file's opening lines match many words and say little. */
const OPENING = 0.6;
const LONGEST_SYMBOL = 150;

interface Shelved extends Place {
  readonly name: string;
  readonly language: string;
  readonly freshness: Freshness;
}

/** Symbols by where they stand, each once, with the best reason it is here for. */
export class Shelf {
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
          this.#addSymbol(symbol, TOUCHED, "touched by the change");
  }

  /** What a reader of a hit looks at next: what it calls in its file, its tests, its interfaces, its callers. */
  async addNeighbours(hit: SearchHit, signal: AbortSignal): Promise<void> {
    const place = { path: hit.file.path, name: hit.symbol.name };
    const near = (kind: keyof typeof NEXT_TO) => hit.relevance_score * NEXT_TO[kind];
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
      hit.relevance_score * (hit.symbol.kind === "package" ? OPENING : 1),
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
    const shelved: Shelved = {
      path,
      name,
      line,
      endLine: Math.min(end_line, line + LONGEST_SYMBOL),
      language: labelOf(path),
      freshness: this.#files.at(path).fresh ? "fresh" : "changed since indexed",
    };
    this.#add(shelved, score, why);
  }

  #add(symbol: Shelved, score: number, why: string): void {
    const id = `code:${symbol.path}#${symbol.name}@${symbol.line}`;
    const known = this.#items.get(id);
    if (known && known.score >= score) return;
    const sizes = symbolSizes(symbol, this.#files.at(symbol.path).lines);
    if (sizes.length === 0) return;
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
      sizes,
    });
  }
}
