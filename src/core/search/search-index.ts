import type { Progress } from "../progress.ts";
import type { RankStep } from "./rank/candidate.ts";
import type { RankWeights } from "./rank/weights.ts";

export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** The unit that is found. Ids are the room's own and unique within its index. */
export interface Chunk {
  readonly id: string;
  /** Name of the symbol, or heading: weighs most, and a query that is exactly this name finds it first. Several names: one a line. */
  readonly title: string;
  /** The names that find it first. Default: the lines of the title. */
  readonly names?: readonly string[];
  /** Names inside that are less than the title: a question that is one of them finds the chunk if no title has the name. */
  readonly memberNames?: readonly string[];
  /** Doc comment, or the trail of headings above. */
  readonly doc: string;
  readonly body: string;
  /** What is embedded. Its sha256 is the key under which a vector is kept and shared. */
  readonly embedText: string;
  /** Beneath these lie the document's own. Meant for filters: few distinct values; the rest stays in the room's tables. */
  readonly attributes: Attributes;
  /** 0 to 255; higher is embedded by the better model first. Default 0. */
  readonly priority?: number;
}
export interface IndexedDocument {
  readonly id: string;
  /** Weighs as a field of each chunk. */
  readonly path: string;
  readonly attributes: Attributes;
  readonly chunks: readonly Chunk[];
}

/** Every condition given must hold; a chunk sees its document's attributes beneath its own. */
export interface Filter {
  readonly attribute: string;
  /** Equal to one of these, or, for a list, holding one of these. */
  readonly anyOf?: readonly (string | number | boolean)[];
  /** For a list: holding all of these. */
  readonly allOf?: readonly string[];
  readonly atLeast?: string | number;
  readonly atMost?: string | number;
  /** Decided by the room, once for each distinct value in each segment. */
  readonly where?: (value: AttributeValue | undefined) => boolean;
}

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  /** Applied before candidates are cut. */
  readonly filters?: readonly Filter[];
  /**
   * Which words a chunk must have: `ranked` (default) takes any, and of a short query puts those with all of them first;
   * `all-or-any` takes only chunks with all of them, or, where there is none, any; `all` never falls back.
   */
  readonly words?: "ranked" | "all-or-any" | "all";
  /** Whether a word is also found by its synonyms. For prose: in code, words are names. */
  readonly synonyms?: boolean;
  /** Whether "all of the words" is asked of the chunk (default) or of its document as a whole. */
  readonly within?: "chunk" | "document";
  /** With it the ranking stage orders what the lists found; without it the lists alone do. */
  readonly ranking?: RankingRequest;
  readonly signal?: AbortSignal;
}
/** The stage uses the attributes `path`, `kind` and `role` (`test`); an index without them does without the steps that need them. */
export interface RankingRequest {
  /** For the evaluation: other weights than the chosen ones. */
  readonly weights?: Partial<RankWeights>;
  /** The text of a chunk, read if the question has literal parts. */
  readonly textOf?: (chunkId: string) => string;
  /** Whether hits come with the steps of the stage. */
  readonly explain?: boolean;
}
export interface Hit {
  readonly chunkId: string;
  readonly documentId: string;
  /** In [0, 1], non-increasing along the hits, comparable across queries. */
  readonly score: number;
  /** Rank in each of the two lists where it was found, from 1. */
  readonly keywordRank?: number;
  readonly vectorRank?: number;
  /** What the ranking stage did with it, if that was asked for. */
  readonly steps?: readonly RankStep[];
}
export interface SearchResult {
  readonly hits: readonly Hit[];
  /** How many chunks matched before the limit: those with a word of the query; for `vector` all that pass the filters. */
  readonly total: number;
  /** The model whose vectors took part; `undefined` where none did. */
  readonly model: string | undefined;
  /** Why a search that wanted vectors went without them, or without those of the model that the user chose. */
  readonly degraded: string | undefined;
  /** Set if the question is a name that no symbol has: the names closest to it, perhaps none. Ranked searches only. */
  readonly nearestNames?: readonly string[];
}

/** What a ranked search could find. */
export interface ScoreBound {
  /** No hit has a higher score. */
  readonly most: number;
  /** How many chunks match: those with a word of the query; for `vector` all that pass the filters. */
  readonly total: number;
  /** Whether a chunk has exactly the name that is asked for. */
  readonly hasName: boolean;
}
type RankedMode = "hybrid" | "vector" | "keyword";

/** Made by `prepareDocuments` in any thread; plain data that may be transferred. One batch becomes one segment. */
export interface PreparedBatch {
  readonly documentIds: readonly string[];
  readonly chunkCount: number;
  /** The inverted lists in buckets, and where each bucket ends. */
  readonly postings: Uint8Array;
  readonly bucketEnds: Uint32Array;
  /** Packed columns by name, stored as they are. */
  readonly parts: Readonly<Record<string, Uint8Array>>;
  readonly vectors: PackedVectors | undefined;
}
/** int8 rows, each padded to a multiple of 16, with a scale each; scale 0 means that there is no vector. */
export interface PackedVectors {
  readonly model: ModelIdentity;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
}

/** Vectors of two models are never compared. */
export interface ModelIdentity {
  readonly id: string;
  readonly sha256: string;
  readonly dims: number;
}
export interface ModelCoverage extends ModelIdentity {
  readonly vectors: number;
}
export interface IndexCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly segments: number;
  readonly models: readonly ModelCoverage[];
}
interface SearchStatus {
  readonly counts: IndexCounts;
  /** The model that searches use now. */
  readonly active: string | undefined;
  /** What is missing and why, as far as it was needed yet; `Embeddings.probe` tries everything. Empty when all is well. */
  readonly problems: readonly string[];
}

/**
 * One searchable set of documents, in the room's own store. Writes are synchronous and join the room's transaction;
 * a search sees one committed generation, whichever process wrote it.
 */
export interface SearchIndex {
  /** Replaces these documents. Prepares in this thread: for large amounts see `prepareDocuments` and `putPrepared`. */
  put(documents: readonly IndexedDocument[]): Promise<void>;
  /** Replaces the documents of the batch; call within the room's transaction. */
  putPrepared(batch: PreparedBatch): void;
  /** How many of them were there. */
  delete(documentIds: readonly string[]): number;
  clear(): void;
  keyword(request: SearchRequest): Promise<SearchResult>;
  /** Throws `unavailable` where there is no embedder or no vector. */
  vector(request: SearchRequest): Promise<SearchResult>;
  /** Keyword and vector fused; keyword alone where vectors cannot be had, with the reason in `degraded`. */
  hybrid(request: SearchRequest): Promise<SearchResult>;
  /** Tells what a ranked search could find, for a part of its cost: who asks many indexes need not search all of them. */
  upperBound(request: SearchRequest, mode: RankedMode): Promise<ScoreBound>;
  /** Rises with every committed change; part of a cache key. One small read, where `counts` looks at everything. */
  generation(): number;
  /** Ids of the documents that contain a word, in any case; or only those with a chunk that has exactly this name. */
  documentsWith(word: string, isName?: boolean): readonly string[];
  counts(): IndexCounts;
  status(): Promise<SearchStatus>;
  /** Merges small segments and drops what was deleted; joins the room's transaction. Small puts do it by themselves. */
  vacuum(): void;
  /**
   * Embeds what the models have not embedded yet, most valuable first; resumable. The quick model has something to do only if
   * an older version of it made the index. Returns how many vectors it made.
   */
  upgrade(options: UpgradeOptions): Promise<number>;
}
export interface UpgradeOptions {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Runs one write at a time; where several processes write, the room takes its lock here. Default: at once. */
  readonly write?: (write: () => void) => Promise<void>;
  /** The `embedText` of a chunk, if the index does not keep it. */
  readonly textOf?: (chunkId: string) => string;
}
