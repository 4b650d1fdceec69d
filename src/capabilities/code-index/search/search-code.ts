import { DomainError } from "../../../core/errors.ts";
import { compileGlob, type PathTest } from "../../../core/scan/glob.ts";
import type { Filter, Hit, ScoreBound, SearchRequest, SearchResult } from "../../../core/search/index.ts";
import type { CodeSymbol } from "../prepare/chunk.ts";
import type { CodeFilters, CodeQuery, HitExplanation } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import { readChunk, readPlace, type StoredChunk } from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";
import { fileOfChunk } from "../store/tables.ts";
import { type FoundHit, hitOf, type ScoredChunk } from "./search-hit.ts";
import { isDeclared, symbolKey } from "./symbols.ts";

export interface CodeSearchResult {
  readonly total: number;
  readonly hits: readonly FoundHit[];
  readonly model: string | undefined;
  readonly degraded: string | undefined;
  /** If the query is a name that no symbol has: the names closest to it. */
  readonly nearestNames: readonly string[] | undefined;
}

/** Enough to find the first lines of a symbol, to merge the parts of a symbol, and to apply a threshold. */
const CANDIDATES = 50;
/** The contract's kinds include the similar kinds of other languages. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  struct: ["struct", "class"],
  type: ["type", "enum"],
};

/** Finds chunks and turns them into the contract's results, all from one generation of the index. */
export async function searchCode(
  code: CodeStore,
  asked: CodeQuery,
  signal: AbortSignal,
): Promise<CodeSearchResult> {
  const { mode, weights, explain = false } = asked;
  const request: SearchRequest = {
    ...requestOf(asked, signal),
    ranking: { textOf: (chunkId) => textOf(code, Number(chunkId)), explain, ...(weights && { weights }) },
  };
  const result = await runSearch(code, mode, request);
  // Outside of a snapshot, SQLite locks and unlocks the file for each of some dozen rows.
  return code.store.snapshot(() => resultOf(code, asked, result));
}

function resultOf(
  code: CodeStore,
  { query, limit, filters: { min_relevance: minScore = 0 } }: CodeQuery,
  result: SearchResult,
): CodeSearchResult {
  const related = result.hits.filter(({ score }) => score > 0);
  // A symbol of the asked name is shown from its first lines, whatever their own score is.
  const wanted = isName(query) ? related : related.filter(({ score }) => score >= minScore);
  const read: ScoredChunk[] = [];
  const inOrder = readChunks(code, wanted, read);
  const ranked = isName(query) ? fromFirstLines([...inOrder], query.trim()) : inOrder;
  const best = take(bestOfEachSymbol(ranked), minScore > 0 ? result.hits.length : limit);
  const relevant = best.filter(({ score }) => score >= minScore);
  return {
    total: minScore > 0 ? relevant.length : countSymbols(result, related.length, read),
    hits: relevant.slice(0, limit).flatMap((entry, position) => hitOf(code, entry, { position, query })),
    model: result.model,
    degraded: result.degraded,
    nearestNames: result.nearestNames,
  };
}

/** What `searchCode` could find at most. */
export const upperBoundOfCode = (
  { index }: CodeStore,
  query: CodeQuery,
  signal: AbortSignal,
): Promise<ScoreBound> => index.upperBound(requestOf(query, signal), query.mode);

const requestOf = ({ query, limit, filters, mode }: CodeQuery, signal: AbortSignal): SearchRequest => ({
  query,
  limit: Math.max(limit * 2, CANDIDATES),
  filters: searchFilters(filters),
  // A name must be found whole; of a sentence some words are enough.
  words: mode === "keyword" && isName(query) ? "all" : "ranked",
  signal,
});

const isName = (query: string): boolean => /^[\p{L}\p{N}_$.:#>\\-]+$/u.test(query.trim());

/** The contract has an error of its own for a blank query. */
export function requireQuery(query: string): void {
  if (query.trim() !== "") return;
  throw new DomainError("invalid_input", "Query is empty or only whitespace.", {
    reason: "empty_query",
    details: { param: "query" },
  });
}

/** Converts all filters but the threshold, which applies to the ranked results. */
export function searchFilters(filters: CodeFilters): readonly Filter[] {
  const { symbol_types: types, ddd_patterns: patterns, packages, file_pattern: pattern } = filters;
  const kinds = types?.flatMap((type) => KINDS[type] ?? [type]);
  const lists = [
    { attribute: "kind", anyOf: kinds ?? [] },
    { attribute: "ddd", anyOf: patterns ?? [] },
    { attribute: "package", anyOf: packages ?? [] },
  ];
  // Clients send an empty list if they want no filter.
  const wanted: Filter[] = lists.filter(({ anyOf }) => anyOf.length > 0);
  if (pattern === undefined) return wanted;
  const matches = compileFilePattern(pattern);
  return [...wanted, { attribute: "path", where: (path) => typeof path === "string" && matches(path) }];
}

/** A pattern is a glob from the root, or a directory with everything below it. */
export function compileFilePattern(pattern: string): PathTest {
  const glob = pattern.replace(/^(?:\.\/+)+/, "");
  const directory = glob.replace(/\/+$/, "");
  if (directory === "" || directory === ".") return () => true;
  try {
    const isBelow = compileGlob(`${directory}/**`);
    if (directory !== glob) return isBelow;
    const isMatch = compileGlob(glob);
    return /[*?[{]/.test(glob) ? isMatch : (path) => isMatch(path) || isBelow(path);
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    throw new DomainError("invalid_input", thrown.message, {
      reason: "malformed_filter",
      details: { param: "filters" },
    });
  }
}

function runSearch(
  { index }: CodeStore,
  mode: CodeQuery["mode"],
  request: SearchRequest,
): Promise<SearchResult> {
  if (mode === "keyword") return index.keyword(request);
  return mode === "vector" ? index.vector(request) : index.hybrid(request);
}

/** The lines of a chunk as they were indexed. */
function textOf(code: CodeStore, chunkId: number): string {
  const place = readPlace(code, chunkId);
  return place ? readLines(code.store, place.file, place.startLine, place.endLine).join("\n") : "";
}

/** Reads chunks one by one, only as many as the caller takes, and adds them to `read`. */
function* readChunks(
  code: CodeStore,
  hits: SearchResult["hits"],
  read: ScoredChunk[],
): Generator<ScoredChunk> {
  for (const hit of hits) {
    const chunk = readChunk(code, Number(hit.chunkId));
    if (!chunk) continue;
    const entry = { chunk, score: hit.score, ...(hit.steps && { explanation: explanationOf(hit) }) };
    read.push(entry);
    yield entry;
  }
}

function explanationOf({ keywordRank, vectorRank, steps = [] }: Hit): HitExplanation {
  const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
  const sum = steps.reduce((total, { bonus = 0 }) => total + bonus, 0);
  return {
    ...(keywordRank !== undefined && { keyword_rank: keywordRank }),
    ...(vectorRank !== undefined && { vector_rank: vectorRank }),
    score: rounded(steps.reduce((product, { factor = 1 }) => product * factor, sum)),
    steps: steps.map(({ step, bonus, factor }) => ({
      step,
      ...(bonus !== undefined && { bonus: rounded(bonus) }),
      ...(factor !== undefined && { factor: rounded(factor) }),
    })),
  };
}

/** A symbol of exactly this name is shown from its first lines, whichever of its chunks was found. */
function fromFirstLines(ranked: readonly ScoredChunk[], name: string): ScoredChunk[] {
  const isExact = ({ chunk }: ScoredChunk) => chunk.symbols.some((symbol) => isNamed(symbol, name));
  const firstChunks = new Map<string, ScoredChunk>();
  for (const entry of ranked.filter(isExact)) {
    const key = symbolOf(entry.chunk);
    const first = firstChunks.get(key) ?? entry;
    firstChunks.set(key, entry.chunk.startLine < first.chunk.startLine ? entry : first);
  }
  return ranked.map((entry) => {
    if (!isExact(entry)) return entry;
    const { explanation } = entry;
    return {
      chunk: firstChunks.get(symbolOf(entry.chunk))?.chunk ?? entry.chunk,
      score: entry.score,
      ...(explanation && { explanation: { ...explanation, exact_name: true } }),
    };
  });
}

/** If a long symbol has several chunks, only the best one is a result. */
function* bestOfEachSymbol(ranked: Iterable<ScoredChunk>): Generator<ScoredChunk> {
  const seen = new Set<string>();
  for (const entry of ranked) {
    const key = symbolOf(entry.chunk);
    if (!seen.has(key)) yield entry;
    seen.add(key);
  }
}

function take<T>(values: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const value of values) if (taken.push(value) >= count) break;
  return taken;
}

/** Counts symbols, not their parts, among the chunks we read. Scores fall with rank: after a score of 0 nothing follows. */
function countSymbols({ total, hits }: SearchResult, related: number, read: readonly ScoredChunk[]): number {
  const chunks = related < hits.length ? related : Math.max(total, related);
  const symbols = new Set(read.map(({ chunk }) => symbolOf(chunk)));
  return chunks - (read.length - symbols.size);
}

/** The same for all parts of one symbol. Chunks outside symbols count one by one. */
function symbolOf(chunk: StoredChunk): string {
  const [symbol] = chunk.symbols;
  const isPart = symbol !== undefined && isDeclared(symbol);
  return isPart ? `${fileOfChunk(chunk.id)}:${symbolKey(symbol)}` : String(chunk.id);
}

/** `Rails::Engine` and `Engine` are names of the class `Engine` in `Rails`. */
function isNamed({ name, parent, kind }: CodeSymbol, wanted: string): boolean {
  if (kind === "file" || kind === "heading" || kind === "key") return false;
  if (name === wanted || parent === undefined) return name === wanted;
  const [title, asked] = [`${parent}.${name}`, wanted].map(withDots);
  return title === asked || (asked ?? "").endsWith(`.${title}`);
}

const withDots = (name: string): string => name.replace(/::|->|[#\\]/g, ".");
