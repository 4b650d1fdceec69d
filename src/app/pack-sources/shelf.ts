import type { CodeIndex, IndexedFile, PlacedSymbol, SearchHit } from "../../capabilities/code-index/index.ts";
import type { Freshness, PackItem, PackRequest, Rendition } from "../../capabilities/packs/index.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import { byCodeUnit } from "../../core/order.ts";
import { docStart, headEnd, mentions } from "./code-lines.ts";
import { quote, sizes } from "./quote.ts";
import { isProse } from "./text-files.ts";

const MOST_CALLED = 3;
const MOST_TEST_FILES = 3;
const MOST_INTERFACES = 2;
/** What being next to a hit is worth, by how sure it is that the two belong together. */
const NEXT_TO = { called: 0.7, test: 0.65, interface: 0.6, caller: 0.5 } as const;
/** A file's opening lines match many words and say little. */
const OPENING = 0.6;
const LONGEST_SYMBOL = 150;
/** A symbol of fewer lines is told whole or by its name: its head alone would hardly be shorter. */
const WORTH_SHORTENING = 8;

interface Shelved {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  readonly language: string;
  readonly freshness: Freshness;
}

interface OpenFile extends IndexedFile {
  /** As they are on the disk now. */
  readonly lines: readonly string[];
}
const UNKNOWN: OpenFile = { lines: [], symbols: [], fresh: false };

/** Symbols by where they stand, each once, with the best reason it is here for. */
export class Shelf {
  readonly #items = new Map<string, PackItem>();
  readonly #files = new Map<string, OpenFile>();
  readonly #code: CodeIndex;
  readonly #root: string;

  constructor(code: CodeIndex, root: string) {
    this.#code = code;
    this.#root = root;
  }

  items(): PackItem[] {
    return [...this.#items.values()].sort((a, b) => b.score - a.score || byCodeUnit(a.id, b.id));
  }

  /** Reads all of them at once: one after the other would be mostly waiting. */
  async open(paths: readonly string[]): Promise<void> {
    const unknown = [...new Set(paths)].filter((path) => !this.#files.has(path));
    if (unknown.length === 0) return;
    const [texts, indexed] = await Promise.all([
      Promise.all(unknown.map((path) => readTextInside(this.#root, path))),
      this.#code.symbolsOfFiles(this.#root, unknown),
    ]);
    for (const [at, path] of unknown.entries()) {
      const text = texts[at];
      const lines = text === undefined ? [] : quotableLines(text);
      this.#files.set(path, { ...UNKNOWN, ...indexed[at], lines });
    }
  }

  async addHit(hit: SearchHit): Promise<void> {
    const { path, start_line, end_line, language } = hit.file;
    const found = (await this.#file(path)).symbols.find(
      (symbol) => symbol.name === hit.symbol.name && symbol.line <= end_line && symbol.end_line >= start_line,
    );
    const isWhole = found !== undefined && found.end_line - found.line < LONGEST_SYMBOL;
    await this.#add(
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

  /** The symbols whose lines a change touches. */
  async addChanged({ path, lines }: PackRequest["changes"][number]): Promise<void> {
    for (const symbol of (await this.#file(path)).symbols) {
      if (!lines.some(({ start, end }) => start <= symbol.end_line && end >= symbol.line)) continue;
      await this.#addSymbol(symbol, 0.85, "touched by the change");
    }
  }

  /** What a reader of a hit looks at next: what it calls in its file, its tests, its interfaces, its callers. */
  async addNeighbours(hit: SearchHit, signal: AbortSignal): Promise<void> {
    const place = { path: hit.file.path, name: hit.symbol.name };
    const near = (kind: keyof typeof NEXT_TO) => hit.relevance_score * NEXT_TO[kind];
    const { symbols: own } = await this.#file(place.path);
    const symbol = own.find(({ name }) => name === place.name);
    if (symbol === undefined) return;
    for (const called of (await this.#calledBy(symbol, own)).slice(0, MOST_CALLED))
      await this.#addSymbol(called, near("called"), `used by ${place.name}`);
    const { callers, tests, interfaces } = await this.#code.neighbours(this.#root, place, signal);
    const testFiles = tests.slice(0, MOST_TEST_FILES);
    const types = interfaces.slice(0, MOST_INTERFACES);
    await this.open([...testFiles, ...[...types, ...callers].map(({ path }) => path)]);
    for (const test of testFiles) {
      const testing = await this.#firstMentioning(test, place.name);
      if (testing) await this.#addSymbol(testing, near("test"), `tests ${place.name}`);
    }
    for (const type of types) await this.#addSymbol(type, near("interface"), `implemented by ${place.name}`);
    for (const caller of callers) await this.#addSymbol(caller, near("caller"), `uses ${place.name}`);
  }

  async #calledBy(symbol: PlacedSymbol, own: readonly PlacedSymbol[]): Promise<PlacedSymbol[]> {
    const { lines } = await this.#file(symbol.path);
    const body = lines.slice(symbol.line - 1, symbol.end_line);
    return own.filter(
      (other) =>
        other.name !== symbol.name &&
        (other.end_line < symbol.line || other.line > symbol.end_line) &&
        mentions(body, other.name),
    );
  }

  async #firstMentioning(path: string, name: string): Promise<PlacedSymbol | undefined> {
    const { lines, symbols } = await this.#file(path);
    return symbols.find((symbol) => mentions(lines.slice(symbol.line - 1, symbol.end_line), name));
  }

  async #addSymbol(symbol: PlacedSymbol, score: number, why: string): Promise<void> {
    const { path, name, line } = symbol;
    const { fresh } = await this.#file(path);
    const shelved: Shelved = {
      path,
      name,
      line,
      endLine: Math.min(symbol.end_line, line + LONGEST_SYMBOL),
      language: path.split(".").at(-1) ?? "text",
      freshness: fresh ? "fresh" : "changed since indexed",
    };
    await this.#add(shelved, score, why);
  }

  async #add(symbol: Shelved, score: number, why: string): Promise<void> {
    const id = `code:${symbol.path}#${symbol.name}@${symbol.line}`;
    const known = this.#items.get(id);
    if (known && known.score >= score) return;
    const { lines } = await this.#file(symbol.path);
    const isDocument = isProse(symbol.path);
    const renditions =
      lines.length === 0 ? [gone(symbol)] : isDocument ? proseSizes(symbol, lines) : codeSizes(symbol, lines);
    if (renditions.length === 0) return;
    this.#items.set(id, {
      id,
      room: "code-index",
      kind: isDocument ? "document" : "code",
      title: symbol.name,
      score,
      why,
      provenance: "",
      freshness: symbol.freshness,
      language: symbol.language,
      sizes: renditions,
    });
  }

  async #file(path: string): Promise<OpenFile> {
    await this.open([path]);
    return this.#files.get(path) ?? UNKNOWN;
  }
}

/** The file is not there any more: nothing to quote, but the receipt tells. */
const gone = ({ path, line, endLine }: Shelved): Rendition => ({
  text: "",
  citation: { path, start: line, end: endLine },
});

const proseSizes = ({ path, line, endLine }: Shelved, lines: readonly string[]): Rendition[] =>
  sizes(quote(path, lines, line, endLine), quote(path, lines, line, line + 4));

function codeSizes(symbol: Shelved, lines: readonly string[]): Rendition[] {
  const { path, line, endLine } = symbol;
  const first = docStart(lines, line);
  const isLong = endLine - first >= WORTH_SHORTENING;
  return sizes(
    quote(path, lines, first, endLine),
    isLong ? quote(path, lines, first, headEnd(lines, symbol)) : undefined,
    quote(path, lines, line, line),
  );
}
