import type { IndexedSymbol, Neighbours, SymbolLocation } from "../../capabilities/code-index/index.ts";
import {
  type FileRole,
  type Freshness,
  fileRoleOf,
  type PackItem,
  type PackRequest,
} from "../../capabilities/packs/index.ts";
import { byCodeUnit } from "../../core/order.ts";
import { codeSizes, type SymbolLines } from "./code-sizes.ts";
import type { ScoredHit } from "./hit-scores.ts";
import { OpenFiles } from "./open-files.ts";
import type { PackedCode } from "./pack-task.ts";
import { isProse, labelOf } from "./text-files.ts";

/** Score of a neighbour relative to its hit: the surer the connection, the higher. */
const NEIGHBOUR_SCORE = {
  callees: 0.5,
  tests: 0.5,
  implementations: 0.45,
  interfaces: 0.45,
  types: 0.4,
  callers: 0.4,
} as const satisfies Record<keyof Neighbours, number>;
const NEIGHBOUR_WHY = {
  callees: "used by",
  tests: "tests",
  implementations: "implements",
  interfaces: "implemented by",
  types: "in the signature of",
  callers: "uses",
} as const satisfies Record<keyof Neighbours, string>;
const NEIGHBOUR_KINDS = ["callees", "tests", "implementations", "interfaces", "types", "callers"] as const;
/** What a change may break: what a changed symbol uses is not among it. */
const AFFECTED_KINDS = ["tests", "implementations", "interfaces", "callers"] as const;
/** Neighbours whose lines with the symbol's name matter most. */
const MENTIONING: ReadonlySet<string> = new Set(["callers", "tests"]);
/**
 * A changed symbol matters to the task even if no word matches. Its changed lines are quoted anyway, so who uses it and
 * what tests it matter as much as the rest of it.
 */
const CHANGED_SCORE = { source: 0.7, test: 0.4, accessory: 0.4 } as const satisfies Record<FileRole, number>;
/** The first lines of a file match many words and say little. */
const PACKAGE_FACTOR = 0.6;
/** Of a longer symbol, only the part that was found is given. */
const LONGEST_SYMBOL = 400;
/** A shorter class is given whole, with its members. */
const SHORT_TYPE = 30;

interface CollectedSymbol extends SymbolLines {
  readonly name: string;
  readonly freshness: Freshness;
  /** A test among source. */
  readonly isTest: boolean;
  readonly isTarget?: boolean;
  /** The symbol that led to this one. */
  readonly ledBy?: string;
  /** The lines that the search found. */
  readonly found?: { readonly start: number; readonly end: number };
}

/** Collects symbols for a pack, each once, with the best reason found for it. */
export class CodeCollector {
  readonly #items = new Map<string, PackItem>();
  readonly #files: OpenFiles;
  readonly #code: PackedCode;
  readonly #root: string;
  /** Words of the task, in lower case. */
  readonly #words: readonly string[];

  constructor(code: PackedCode, root: string, words: readonly string[]) {
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
    for (const hit of hits) this.#addHit(hit);
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
    for (const symbol of touched)
      this.#addSymbol(symbol, CHANGED_SCORE[fileRoleOf(symbol.path)], { why: "touched by the change" });
    return touched.filter(({ path }) => fileRoleOf(path) === "source");
  }

  /** What is connected with symbols: callers, callees, tests, types, interfaces and implementations. */
  async addNeighbours(
    centres: readonly (SymbolLocation & { readonly score: number })[],
    { testDepth, isChange }: { readonly testDepth: number; readonly isChange: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    if (centres.length === 0) return;
    const found = await this.#code.neighbours(this.#root, { locations: centres, testDepth });
    const symbols = found.flatMap((near) => Object.values(near).flat());
    await this.#files.open(
      symbols.map(({ path }) => path),
      signal,
    );
    for (const [at, { name, score }] of centres.entries()) {
      const near = found[at];
      const kinds = isChange ? AFFECTED_KINDS : NEIGHBOUR_KINDS;
      if (near) this.#addAround({ name, score }, near, kinds);
    }
  }

  #addAround(
    { name, score }: { readonly name: string; readonly score: number },
    near: Neighbours,
    kinds: readonly (keyof Neighbours)[],
  ): void {
    for (const kind of kinds) {
      const ledBy = MENTIONING.has(kind) ? { ledBy: name } : {};
      for (const symbol of near[kind])
        this.#addSymbol(symbol, score * NEIGHBOUR_SCORE[kind], {
          why: `${NEIGHBOUR_WHY[kind]} ${name}`,
          ...ledBy,
        });
    }
  }

  #addHit({ hit, score, isTarget }: ScoredHit): void {
    const { path, start_line, end_line } = hit.file;
    const { symbols } = this.#files.at(path);
    const found = symbols.find(
      ({ name, line, end_line: last }) => name === hit.symbol.name && line <= end_line && last >= start_line,
    );
    // Constants and fields share a hit: all of them were found, not only the one that names it.
    const isOneOfSeveral =
      found !== undefined &&
      symbols.some(
        ({ line, end_line: last }) =>
          start_line <= line && last <= end_line && (last < found.line || line > found.end_line),
      );
    const isWhole =
      found !== undefined &&
      !isOneOfSeveral &&
      found.end_line - found.line < LONGEST_SYMBOL &&
      this.#headOf(found) === found.end_line;
    this.#add(
      {
        path,
        name: hit.symbol.name || path,
        line: isWhole ? found.line : start_line,
        endLine: isWhole ? found.end_line : end_line,
        freshness: hit.fresh === false ? "changed since indexed" : "fresh",
        isTest: found?.is_test ?? false,
        isTarget,
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
      isTest: symbol.is_test ?? false,
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
      role: symbol.isTest ? "test" : fileRoleOf(path),
      title: name,
      ...(symbol.isTarget && { isTarget: true }),
      score,
      why,
      provenance: "",
      freshness: symbol.freshness,
      language: labelOf(path),
      sizes: renditions,
    });
  }
}
