import { z } from "zod";
import type { Config } from "../../../core/config/config.ts";
import { DomainError } from "../../../core/errors.ts";
import { type Filter, literalStrengths, literalsOf, type SearchRequest } from "../../../core/search/index.ts";
import type { Store } from "../../../core/store/store.ts";
import type { DocumentDatabase } from "../database.ts";
import { withoutFrontMatter } from "../formats/front-matter.ts";
import type { DocumentHit, DocumentQuery, ScoreExplanation } from "../schemas.ts";
import { aboutOf } from "../sync/prepare/prepare-drafts.ts";
import { isoOf, sinceBound, untilBound } from "../timestamps.ts";
import { isOnDemand } from "../topics.ts";
import { type ChunkCandidate, firstOf, merge, type RankedDocument } from "./merge.ts";
import { byRelevance } from "./relevance.ts";
import { bestSnippet } from "./snippet.ts";

export interface FoundDocuments {
  /** Best first. Before the first sync there are none; that is not an error. */
  readonly hits: readonly (DocumentHit & { readonly explanation: ScoreExplanation })[];
  /** The model whose vectors took part. */
  readonly model: string | undefined;
  /** Why it is not the model that the user chose. */
  readonly degraded: string | undefined;
}
const NOTHING: FoundDocuments = { hits: [], model: undefined, degraded: undefined };

export interface TopicalQuery extends DocumentQuery {
  readonly topics: readonly Filter[];
  /** A question about the past or a package also says so: not all of its words are in the answer. */
  readonly takesAnyWord?: boolean;
}

export async function search(
  database: DocumentDatabase | undefined,
  config: Config,
  { topics, takesAnyWord = false, ...query }: TopicalQuery,
): Promise<FoundDocuments> {
  const filters = [...filtersOf(query.filters ?? {}), ...topics];
  if (query.mode !== "keyword" && config.embedding.provider === "disabled") {
    throw new DomainError(
      "invalid_input",
      `mode ${query.mode} needs embeddings, and they are disabled ([embedding] provider). Use mode keyword.`,
      { reason: "embeddings_disabled" },
    );
  }
  if (database === undefined || database.index.counts().chunks === 0) return NOTHING;
  const limit = query.limit ?? config.retrieval.final_limit;
  const needsAllWords = query.mode === "keyword" && !takesAnyWord;
  const found = await candidates(database, config, { query, filters, limit, needsAllWords });
  const { vector, model, degraded } = found;
  if (isUnrelated(query, found)) return { hits: [], model, degraded };
  const keyword = withPhrases(database.store, query.query, found.keyword);
  const alpha = { keyword: 0, semantic: 1, hybrid: config.retrieval.hybrid_alpha }[query.mode];
  const merged = merge(keyword, vector, alpha);
  // With all the words in one document, the contract's scores say enough.
  const judged = found.hasAllWords
    ? merged
    : await judge(database, { query, alpha, merged, limit, lists: { keyword, vector } });
  const hits = database.store.snapshot(() => {
    const headOf = headReader(database.store);
    const ranked = firstOf(judged, limit, (id) => headOf(id)?.updated_at ?? 0);
    const counts = { alpha, keyword_candidates: keyword.length, vector_candidates: vector.length };
    return ranked.flatMap((hit) => {
      // Another process may have removed the document since.
      const head = headOf(hit.documentId);
      const chunkIds = [...new Set([hit.chunkId, ...chunksOf(hit.documentId, keyword)])].slice(
        0,
        CHUNKS_PER_SNIPPET,
      );
      const snippet = bestSnippet(readTexts(database.store, chunkIds), query.query);
      return head ? [asHit(hit, head, snippet, counts)] : [];
    });
  });
  return { hits, model, degraded };
}

interface JudgedQuery {
  readonly query: DocumentQuery;
  readonly alpha: number;
  readonly merged: readonly RankedDocument[];
  readonly limit: number;
  readonly lists: Pick<CandidateLists, "keyword" | "vector">;
}

async function judge(
  { store, rank }: DocumentDatabase,
  { query, alpha, merged, limit, lists: { keyword, vector } }: JudgedQuery,
): Promise<RankedDocument[]> {
  const [words, cosines] = [bestByDocument(keyword), bestByDocument(vector)];
  const headOf = headReader(store);
  const request = {
    query: query.query,
    mode: query.mode,
    alpha,
    limit,
    ranked: merged.map((document) => ({
      ...document,
      words: words.get(document.documentId) ?? 0,
      cosine: cosines.get(document.documentId) ?? 0,
      isAskedFor: isOnDemand(headOf(document.documentId)?.source ?? ""),
    })),
    textOf: ({ documentId, chunkId }: RankedDocument) => {
      const head = headOf(documentId);
      const title = [head?.title ?? "", head?.source_id ?? "", ...(head ? aboutOf(head.metadata) : [])];
      const others = [...chunksOf(documentId, keyword), ...chunksOf(documentId, vector)];
      const chunkIds = [...new Set([chunkId, ...others])].slice(0, CHUNKS_PER_COMPARISON);
      const text = [...readTexts(store, chunkIds)].join("\n");
      return { title: title.join(" "), text };
    },
  };
  return byRelevance(request, await rank());
}
const CHUNKS_PER_COMPARISON = 3;

function bestByDocument(list: readonly ChunkCandidate[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (const { documentId, raw } of list) best.set(documentId, Math.max(raw, best.get(documentId) ?? 0));
  return best;
}

/** Any text has a nearest chunk: if no word of the question occurs, it must be near enough. */
function isUnrelated({ mode }: DocumentQuery, { keyword, vector }: CandidateLists): boolean {
  return mode === "hybrid" && keyword.length === 0 && vector.every(({ raw }) => raw < LEAST_COSINE);
}
/** Made-up words have cosines of .21 with pages of our own docs. */
const LEAST_COSINE = 0.25;

/** Lifts chunks that hold what the question quotes, or a message it consists of. */
function withPhrases(store: Store, query: string, keyword: readonly ChunkCandidate[]): ChunkCandidate[] {
  const literals = literalsOf(query);
  if (literals.length === 0) return [...keyword];
  const best = keyword.slice(0, CHUNKS_WITH_PHRASES);
  const texts = best.map(({ chunkId }) => [...readTexts(store, [chunkId])].join(""));
  const strengths = literalStrengths(texts, literals);
  const lifted = keyword.map((chunk, place) => ({ ...chunk, raw: chunk.raw + (strengths[place] ?? 0) }));
  return lifted.sort((a, b) => b.raw - a.raw);
}
const CHUNKS_WITH_PHRASES = 40;

/** How many chunks of a document are tried for the best snippet. */
const CHUNKS_PER_SNIPPET = 4;
const chunksOf = (id: string, list: readonly ChunkCandidate[]) =>
  list.filter(({ documentId }) => documentId === id).map(({ chunkId }) => chunkId);

function filtersOf({ source, tags, since, until }: NonNullable<DocumentQuery["filters"]>): Filter[] {
  const atLeast = since == null ? undefined : sinceBound(since, "filters.since");
  const atMost = until == null ? undefined : untilBound(until, "filters.until");
  return [
    ...(source == null ? [] : [{ attribute: "source", anyOf: [source] }]),
    ...(tags == null || tags.length === 0 ? [] : [{ attribute: "tags", allOf: tags }]),
    ...(atLeast === undefined ? [] : [{ attribute: "updated_at", atLeast }]),
    ...(atMost === undefined ? [] : [{ attribute: "updated_at", atMost }]),
  ];
}

interface CandidateLists extends Pick<FoundDocuments, "model" | "degraded"> {
  readonly keyword: readonly ChunkCandidate[];
  readonly vector: readonly ChunkCandidate[];
  /** Keyword mode: there is a document with all the words, and only such documents are in the list. */
  readonly hasAllWords: boolean;
}

interface CandidateRequest {
  readonly query: DocumentQuery;
  readonly filters: readonly Filter[];
  readonly limit: number;
  readonly needsAllWords: boolean;
}

async function candidates(
  { index }: DocumentDatabase,
  { retrieval }: Config,
  { query, filters, limit, needsAllWords }: CandidateRequest,
): Promise<CandidateLists> {
  // A document may be found by several chunks, but the limit counts documents.
  const least = limit * retrieval.max_chunks_per_doc;
  const request = (most: number): SearchRequest => ({
    query: query.query,
    limit: Math.max(most, least),
    filters,
    // Beside meaning, a document with some of the words counts too: the others may be put differently.
    words: needsAllWords ? "all" : "ranked",
    within: "document",
    synonyms: true,
  });
  const [byWords, vector] = await Promise.all([
    query.mode === "semantic" ? undefined : index.keyword(request(retrieval.candidate_k_keyword)),
    query.mode === "keyword"
      ? undefined
      : index.vector(request(retrieval.candidate_k_vector)).catch((thrown: unknown) => {
          throw withoutVectors(thrown);
        }),
  ]);
  const hasAllWords = needsAllWords && (byWords?.hits.length ?? 0) > 0;
  const keyword =
    needsAllWords && !hasAllWords
      ? await index.keyword({ ...request(retrieval.candidate_k_keyword), words: "all-or-any" })
      : byWords;
  const asCandidates = (list: typeof keyword): ChunkCandidate[] =>
    (list?.hits ?? []).map(({ chunkId, documentId, score }) => ({ chunkId, documentId, raw: score }));
  const { model, degraded } = vector ?? NOTHING;
  return { keyword: asCandidates(keyword), vector: asCandidates(vector), hasAllWords, model, degraded };
}

/** The contract has one reason for all cases without vectors. */
const withoutVectors = (thrown: unknown): unknown =>
  thrown instanceof DomainError && thrown.code === "unavailable"
    ? new DomainError("invalid_input", thrown.message, { reason: "embeddings_disabled", cause: thrown })
    : thrown;

const Metadata = z.record(z.string(), z.unknown());
const DocumentHead = z.object({
  id: z.string(),
  source: z.string(),
  source_id: z.string(),
  source_url: z.string().nullable(),
  title: z.string().nullable(),
  updated_at: z.number(),
  metadata: z.string().transform((text) => Metadata.parse(JSON.parse(text))),
});
type DocumentHead = z.output<typeof DocumentHead>;

function headReader(store: Store): (id: string) => DocumentHead | undefined {
  const select = store.prepare(
    "SELECT id, source, source_id, source_url, title, updated_at, metadata FROM documents WHERE id = ?",
  );
  const heads = new Map<string, DocumentHead | undefined>();
  return (id) => {
    if (!heads.has(id)) {
      const row = select.get(id);
      heads.set(id, row === undefined || row === null ? undefined : DocumentHead.parse(row));
    }
    return heads.get(id);
  };
}

const ChunkText = z.object({ text: z.string() });

/** Texts of chunks, without front matter. Reads lazily: often the first text is enough. */
function* readTexts(store: Store, chunkIds: readonly string[]): Generator<string> {
  const select = store.prepare("SELECT text FROM chunks WHERE document_id = ? AND position = ?");
  for (const chunkId of chunkIds) {
    const cut = chunkId.indexOf("#");
    const position = Number(chunkId.slice(cut + 1));
    const row = select.get(chunkId.slice(0, cut), position);
    if (row === undefined || row === null) continue;
    const { text } = ChunkText.parse(row);
    yield position === 0 ? withoutFrontMatter(text) || text : text;
  }
}

function asHit(
  hit: RankedDocument,
  head: DocumentHead,
  snippet: string,
  counts: Pick<ScoreExplanation, "alpha" | "keyword_candidates" | "vector_candidates">,
): DocumentHit & { readonly explanation: ScoreExplanation } {
  return {
    id: head.id,
    score: hit.score,
    title: head.title,
    source: head.source,
    source_id: head.source_id,
    updated_at: isoOf(head.updated_at),
    snippet,
    source_url: head.source_url,
    explanation: { keyword_score: hit.keywordScore, semantic_score: hit.semanticScore, ...counts },
  };
}
