import { DomainError } from "../../core/errors.ts";
import type { SearchRequest, SearchResult } from "../../core/search/index.ts";
import type { CodeStore } from "./code-store.ts";
import type { MODES } from "./schemas.ts";
import { type Conditions, conditionsOf } from "./search-conditions.ts";
import { type FoundHit, hitOf, type Ranked } from "./search-hit.ts";
import { readChunk, readFile, type StoredSymbol } from "./stored-chunks.ts";
import { readLines } from "./stored-contents.ts";
import { isDeclared, keyOf } from "./symbols-of-project.ts";
import { fileOfChunk } from "./tables.ts";

export interface CodeQuery {
  readonly query: string;
  readonly limit: number;
  readonly filters: Conditions;
  readonly mode: (typeof MODES)[number];
  /** For the evaluation: other weights of the ranking stage. */
  readonly weights?: SearchWeights;
}
type SearchWeights = NonNullable<SearchRequest["ranking"]>["weights"];
export interface Found {
  readonly total: number;
  readonly hits: readonly FoundHit[];
  readonly model: string | undefined;
  readonly degraded: string | undefined;
}

/** Room for moving an exact name to the top, for further parts of a symbol, and for a threshold. */
const CANDIDATES = 50;

/** Finds chunks and makes the contract's results of them; everything within one view of the index. */
export async function searchProject(code: CodeStore, asked: CodeQuery, signal: AbortSignal): Promise<Found> {
  const { query, limit, filters, mode, weights } = asked;
  const isName = /^[\p{L}\p{N}_$.:#-]+$/u.test(query.trim());
  const least = filters.min_relevance ?? 0;
  const request: SearchRequest = {
    query,
    limit: Math.max(limit * 2, CANDIDATES),
    filters: conditionsOf(filters),
    // A name that is nowhere has no results by words; of a sentence some words may do.
    words: mode === "keyword" && isName ? "all" : "ranked",
    ranking: { textOf: (chunkId) => textOf(code, Number(chunkId)), ...(weights && { weights }) },
    signal,
  };
  const result = await run(code, mode, request);
  const related = result.hits.filter(({ score }) => score > 0);
  const looked: Ranked[] = [];
  const inOrder = readChunks(code, related, looked);
  const ranked = isName ? exactFirst([...inOrder], query.trim()) : inOrder;
  const parts = firstOf(onePartEach(ranked), least > 0 ? request.limit : limit);
  const relevant = parts.filter(({ score }) => score >= least);
  const hits = relevant.slice(0, limit).flatMap((entry, place) => hitOf(code, entry, { place, query }));
  return {
    total: least > 0 ? relevant.length : totalOf(result, related.length, looked),
    hits,
    model: result.model,
    degraded: result.degraded,
  };
}

function run({ index }: CodeStore, mode: CodeQuery["mode"], request: SearchRequest): Promise<SearchResult> {
  if (mode === "keyword") return index.keyword(request);
  return mode === "vector" ? index.vector(request) : index.hybrid(request);
}

/** The lines of a chunk as they were indexed. */
function textOf(code: CodeStore, chunkId: number): string {
  const chunk = readChunk(code, chunkId);
  const file = readFile(code, fileOfChunk(chunkId));
  return chunk && file ? readLines(code.store, file, chunk.startLine, chunk.endLine).join("\n") : "";
}

/** Symbols, not their parts, as far as we looked. Scores fall with rank: behind one of nothing there is nothing more. */
function totalOf({ total, hits }: SearchResult, related: number, looked: readonly Ranked[]): number {
  const chunks = related < hits.length ? related : Math.max(total, related);
  const symbols = new Set(looked.map(({ chunk }) => symbolOf(chunk)));
  return chunks - (looked.length - symbols.size);
}

/** Read one by one, as far as they are asked for; `looked` gathers them. */
function* readChunks(code: CodeStore, hits: SearchResult["hits"], looked: Ranked[]): Generator<Ranked> {
  for (const { chunkId, score } of hits) {
    const chunk = readChunk(code, Number(chunkId));
    if (!chunk) continue;
    looked.push({ chunk, score });
    yield { chunk, score };
  }
}

function firstOf<T>(values: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const value of values) if (taken.push(value) >= count) break;
  return taken;
}

/** A symbol of exactly this name comes first, also where it shares its chunk with others of its block, and by its beginning. */
function exactFirst(ranked: readonly Ranked[], name: string): Ranked[] {
  const fits = ({ chunk }: Ranked) => chunk.symbols.some((symbol) => isNamed(symbol, name));
  const beginnings = new Map<string, Ranked["chunk"]>();
  for (const { chunk } of ranked.filter(fits)) {
    const first = beginnings.get(symbolOf(chunk)) ?? chunk;
    beginnings.set(symbolOf(chunk), chunk.startLine < first.startLine ? chunk : first);
  }
  const top = ranked[0]?.score ?? 0;
  const exact = [...beginnings.values()].map((chunk) => ({ chunk, score: top }));
  return [...exact, ...ranked.filter((entry) => !fits(entry))];
}

/** Of a long symbol that lies in many chunks the best one speaks for all. */
function* onePartEach(ranked: Iterable<Ranked>): Generator<Ranked> {
  const seen = new Set<string>();
  for (const entry of ranked) {
    const key = symbolOf(entry.chunk);
    if (!seen.has(key)) yield entry;
    seen.add(key);
  }
}

/** The same for all parts of one symbol; a file's own text is parted into things of their own. */
function symbolOf(chunk: Ranked["chunk"]): string {
  const [symbol] = chunk.symbols;
  const isPart = symbol !== undefined && isDeclared(symbol);
  return isPart ? `${fileOfChunk(chunk.id)}:${keyOf(symbol)}` : String(chunk.id);
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
