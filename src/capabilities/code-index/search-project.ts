import { DomainError } from "../../core/errors.ts";
import { compileGlob, type PathTest } from "../../core/scan/glob.ts";
import type { Filter, SearchRequest, SearchResult } from "../../core/search/index.ts";
import type { CodeStore } from "./code-store.ts";
import type { Filters, MODES } from "./schemas.ts";
import { type FoundHit, hitOf, type Ranked } from "./search-hit.ts";
import { readChunk, type StoredSymbol } from "./stored-chunks.ts";
import { fileOfChunk } from "./tables.ts";

export interface CodeQuery {
  readonly query: string;
  readonly limit: number;
  readonly filters: Filters;
  readonly mode: (typeof MODES)[number];
}
export interface Found {
  readonly total: number;
  readonly hits: readonly FoundHit[];
  readonly model: string | undefined;
  readonly degraded: string | undefined;
}

/** Room for moving an exact name to the top, for further parts of a symbol, and for a threshold. */
const CANDIDATES = 50;
/** What the contract's kinds mean in languages that have others. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  struct: ["struct", "class"],
  type: ["type", "enum"],
};

/** Finds chunks and makes the contract's results of them; everything within one view of the index. */
export async function searchProject(code: CodeStore, asked: CodeQuery, signal: AbortSignal): Promise<Found> {
  const { query, limit, filters, mode } = asked;
  const isName = /^[\p{L}\p{N}_$.:#-]+$/u.test(query.trim());
  const least = filters.min_relevance ?? 0;
  const request: SearchRequest = {
    query,
    limit: Math.max(limit * 2, CANDIDATES),
    filters: conditionsOf(filters),
    // A name that is nowhere has no results by words; of a sentence some words may do.
    words: mode !== "keyword" ? "ranked" : isName ? "all" : "all-or-any",
    signal,
  };
  const result = await run(code, mode, request);
  const ranked = isName ? exactFirst(code, result, query.trim()) : inOrder(code, result);
  const parts = firstOf(onePartEach(ranked), least > 0 ? request.limit : limit);
  const relevant = parts.filter(({ score }) => score >= least);
  const hits = relevant.slice(0, limit).flatMap((entry, place) => hitOf(code, entry, { place, query }));
  return {
    total: least > 0 ? relevant.length : Math.max(result.total, relevant.length),
    hits,
    model: result.model,
    degraded: result.degraded,
  };
}

function run({ index }: CodeStore, mode: CodeQuery["mode"], request: SearchRequest): Promise<SearchResult> {
  if (mode === "keyword") return index.keyword(request);
  return mode === "vector" ? index.vector(request) : index.hybrid(request);
}

function conditionsOf(filters: Filters): readonly Filter[] {
  const { symbol_types: types, ddd_patterns: patterns, packages, file_pattern: pattern } = filters;
  const conditions: Filter[] = [];
  if (types) conditions.push({ attribute: "kind", anyOf: types.flatMap((type) => KINDS[type] ?? [type]) });
  if (patterns) conditions.push({ attribute: "ddd", anyOf: patterns });
  if (packages) conditions.push({ attribute: "package", anyOf: packages });
  if (pattern !== undefined) {
    const matches = pathTest(pattern);
    conditions.push({ attribute: "path", where: (path) => typeof path === "string" && matches(path) });
  }
  return conditions;
}

function pathTest(pattern: string): PathTest {
  try {
    return compileGlob(pattern);
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    throw new DomainError("invalid_input", thrown.message, {
      reason: "malformed_filter",
      details: { param: "filters" },
    });
  }
}

/** Read one by one, as far as they are asked for. */
function* inOrder(code: CodeStore, { hits }: SearchResult): Generator<Ranked> {
  for (const { chunkId, score } of hits) {
    const chunk = readChunk(code, Number(chunkId));
    if (chunk) yield { chunk, score };
  }
}

function firstOf<T>(values: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const value of values) if (taken.push(value) >= count) break;
  return taken;
}

/** A symbol of exactly this name comes first, also where it shares its chunk with others of its block. */
function exactFirst(code: CodeStore, result: SearchResult, name: string): Ranked[] {
  const ranked = [...inOrder(code, result)];
  const fits = ({ chunk }: Ranked) => chunk.symbols.some((symbol) => isNamed(symbol, name));
  const exact = ranked.filter(fits);
  const top = ranked[0]?.score ?? 0;
  return [...exact.map((entry) => ({ ...entry, score: top })), ...ranked.filter((entry) => !fits(entry))];
}

/** Of a long symbol that lies in many chunks the best one speaks for all. */
function* onePartEach(ranked: Iterable<Ranked>): Generator<Ranked> {
  const seen = new Set<string>();
  for (const entry of ranked) {
    const { chunk } = entry;
    const [symbol] = chunk.symbols;
    const isWhole = symbol === undefined || symbol.kind === "file" || symbol.kind === "package";
    const key = isWhole ? String(chunk.id) : `${fileOfChunk(chunk.id)}:${symbol.startLine}:${symbol.name}`;
    if (!seen.has(key)) yield entry;
    seen.add(key);
  }
}

function isNamed({ name, parent, kind }: StoredSymbol, wanted: string): boolean {
  if (kind === "file") return false;
  return name === wanted || (parent !== undefined && `${parent}.${name}` === wanted);
}

/** The contract tells a blank query from a missing one. */
export function checkQuery(query: string): void {
  if (query.trim() !== "") return;
  throw new DomainError("invalid_input", "Query is empty or only whitespace.", {
    reason: "empty_query",
    details: { param: "query" },
  });
}
