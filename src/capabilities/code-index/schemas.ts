import { z } from "zod";
import { ChosenEmbedding } from "../../core/search/embedders/embed-by-choice.ts";
import type { RankWeights } from "../../core/search/index.ts";
import { DDD_PATTERNS } from "./prepare/ddd.ts";

export const SYMBOL_TYPES = ["function", "method", "struct", "interface", "type", "const", "var"] as const;
export const MODES = ["hybrid", "vector", "keyword"] as const;
/** Ways to match lines instead of ranking symbols. */
export const MATCHES = ["literal", "regex"] as const;

export const Filters = z
  .strictObject({
    symbol_types: z
      .array(z.enum(SYMBOL_TYPES))
      .optional()
      .describe(
        "Only these kinds of symbols; a class counts as struct, a trait as interface, an enum as type",
      ),
    file_pattern: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("Only files whose path matches this glob, such as internal/**"),
    ddd_patterns: z.array(z.enum(DDD_PATTERNS)).optional().describe("Only types named after these patterns"),
    packages: z
      .array(z.string())
      .optional()
      .describe("Only these packages: a directory, a package name or an import path"),
    min_relevance: z.number().min(0).max(1).optional().describe("Least relevance_score of a result"),
  })
  .describe("Narrow the search before it ranks");
export type Filters = z.infer<typeof Filters>;

export const IndexOutput = z.object({
  success: z.boolean(),
  project_id: z.int(),
  statistics: z.object({
    files_indexed: z.int(),
    files_skipped: z.int(),
    files_failed: z.int(),
    symbols_extracted: z.int(),
    chunks_created: z.int(),
    embeddings_generated: z.int(),
    duration_seconds: z.number(),
    index_size_mb: z.number(),
    files_removed: z.int().describe("Files that left the project since the last run"),
    text_files_indexed: z.int().describe("Files in no known language, indexed as plain text"),
  }),
  errors: z.array(z.object({ file: z.string(), error: z.string() })),
  embedding: ChosenEmbedding.optional().describe("The configured model, if this call waited for it"),
  message: z.string(),
});
export type IndexOutput = z.infer<typeof IndexOutput>;

export const HitExplanation = z.object({
  keyword_rank: z.int().optional().describe("Place in the list by words, from 1"),
  vector_rank: z.int().optional().describe("Place in the list by meaning, from 1"),
  exact_name: z.boolean().optional().describe("true: its name is exactly the query"),
  score: z.number().describe("The sum of the bonuses times the factors; comparable within one answer"),
  steps: z.array(z.object({ step: z.string(), bonus: z.number().optional(), factor: z.number().optional() })),
});
export type HitExplanation = z.infer<typeof HitExplanation>;

export const SearchHit = z.object({
  chunk_id: z.int(),
  rank: z.int(),
  relevance_score: z.number(),
  symbol: z.object({
    name: z.string(),
    kind: z.string(),
    package: z.string(),
    signature: z.string(),
    doc_comment: z.string(),
    parent: z.string().optional().describe("The type a method belongs to"),
    ddd_patterns: z.array(z.string()).optional(),
  }),
  file: z.object({
    path: z.string(),
    package: z.string(),
    start_line: z.int(),
    end_line: z.int(),
    language: z.string(),
  }),
  content: z.string(),
  context_before: z.string(),
  context_after: z.string(),
  fresh: z.boolean().optional().describe("false: the file or its package has changed since it was indexed"),
  matches: z
    .array(z.object({ line: z.int(), text: z.string() }))
    .optional()
    .describe("The lines that match, if lines were asked for"),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchOutput = z.object({
  success: z.boolean(),
  query: z.string(),
  results: z.array(SearchHit),
  statistics: z.object({
    total_results: z.int(),
    returned_results: z.int(),
    search_duration_ms: z.number(),
    cache_hit: z.boolean(),
    files_changed: z
      .int()
      .describe(
        "How many files of the project changed, appeared or went since they were indexed; 0: up to date",
      ),
    model: z.string().optional().describe("The model whose vectors ranked the results"),
  }),
  indexing: z
    .boolean()
    .optional()
    .describe(
      "true: a new index is being built; this answer is from the last one, or from the text of files",
    ),
  degraded: z
    .string()
    .optional()
    .describe(
      "Why the search used words only, only names and text of files, or another model than the configured one",
    ),
  unknown_name: z
    .object({ name: z.string(), nearest: z.array(z.string()) })
    .optional()
    .describe("The query is a name that no symbol has, and the names closest to it"),
  message: z.string(),
  cleaned: z
    .object({ invisible: z.int(), secrets: z.int() })
    .optional()
    .describe("How many invisible characters and secrets were removed from this answer"),
});
export type SearchOutput = z.infer<typeof SearchOutput>;
/** What a search could find at most; see `ScoreBound`. */
export const CodeBound = z.object({ most: z.number(), total: z.int(), hasName: z.boolean() });
export type CodeBound = z.infer<typeof CodeBound>;
/** What views get: each hit may say why it is there. */
export const ExplainedSearchOutput = SearchOutput.extend({
  results: z.array(SearchHit.extend({ explanation: HitExplanation.optional() })),
  index_first: z.string().optional().describe("The project, if it should be indexed for better answers"),
});
export type ExplainedSearchOutput = z.infer<typeof ExplainedSearchOutput>;
export type ExplainedSearchHit = ExplainedSearchOutput["results"][number];

export const RunningIndex = z.object({
  pid: z.int(),
  started_at: z.string(),
  files_done: z.int(),
  files_total: z.int(),
});
export type RunningIndex = z.infer<typeof RunningIndex>;

export const StatusOutput = z.object({
  success: z.boolean(),
  indexed: z.boolean(),
  project: z
    .object({
      id: z.int(),
      root_path: z.string(),
      module_name: z.string(),
      go_version: z.string(),
      index_version: z.string(),
    })
    .nullable(),
  statistics: z
    .object({
      total_files: z.int(),
      total_symbols: z.int(),
      total_chunks: z.int(),
      total_embeddings: z.int(),
      index_size_mb: z.number(),
      last_indexed_at: z.string(),
      indexing_duration_seconds: z.number(),
      total_text_files: z.int(),
    })
    .nullable(),
  health: z
    .object({
      database_accessible: z.boolean(),
      embeddings_available: z.boolean(),
      fts_indexes_built: z.boolean(),
      embedding_model: z.string().optional(),
      embedding_coverage: z.array(z.object({ model: z.string(), embedded: z.int() })).optional(),
      problems: z.array(z.string()).optional(),
    })
    .nullable(),
  indexing: RunningIndex.optional().describe("Progress of a run that is under way, in any process"),
  message: z.string(),
});
export type StatusOutput = z.infer<typeof StatusOutput>;

export interface CodeQuery {
  readonly query: string;
  readonly limit: number;
  readonly filters: CodeFilters;
  readonly mode: (typeof MODES)[number];
  /** Whether hits say why they are there. */
  readonly explain?: boolean;
  /** For the evaluation: other weights of the ranking stage. */
  readonly weights?: Partial<RankWeights>;
}
/** The contract's filters; people may also name kinds that the contract does not know. */
export type CodeFilters = Omit<Filters, "symbol_types"> & {
  readonly symbol_types?: readonly string[] | undefined;
};
/** By default hybrid and without filters. */
export type CodeQuestion = Pick<CodeQuery, "query" | "limit"> & Partial<CodeQuery>;
export interface CodeHits {
  readonly hits: readonly SearchHit[];
  /** Changes whenever the index changes. */
  readonly state: string;
  /** The files that have changed, appeared or gone since they were indexed; none if the index is up to date. */
  readonly behind: readonly string[];
  /** The model that took part. */
  readonly model: string | undefined;
}
/**
 * What a search does if the project is not indexed. `fail`: the contract's error. `answer`: index in the background, and
 * answer as `preview` does if that takes longer than some seconds. `preview`: answer from the files with the most words of the
 * question at once, unless all are indexed as quickly. `wait`: index first. The last two wait for updates, too.
 */
export const ON_MISSING = ["fail", "answer", "preview", "wait"] as const;
export type OnMissing = (typeof ON_MISSING)[number];

export interface SymbolLocation {
  readonly path: string;
  readonly name: string;
  /** Tells symbols of the same name in one file apart. */
  readonly line?: number;
}
/** A symbol with its place in the project. */
export interface IndexedSymbol extends SymbolLocation {
  readonly kind: string;
  readonly signature: string;
  readonly doc: string;
  readonly line: number;
  readonly end_line: number;
  readonly exported: boolean;
  readonly parent?: string | undefined;
  /** A test in a file that is not one of tests. */
  readonly is_test?: true;
}
export interface IndexedFile {
  /** In the order of their lines; empty if the file is not indexed. */
  readonly symbols: readonly IndexedSymbol[];
  /** Whether the file is still as it was indexed. */
  readonly fresh: boolean;
}
/** What a symbol is connected with. Uses that only share its name do not count. */
export interface Neighbours {
  readonly callers: readonly IndexedSymbol[];
  readonly callees: readonly IndexedSymbol[];
  /** Tests that reach the symbol. */
  readonly tests: readonly IndexedSymbol[];
  /** Types in its signature, and its base types. */
  readonly types: readonly IndexedSymbol[];
  /** Go: the interfaces whose methods its type has. */
  readonly interfaces: readonly IndexedSymbol[];
  /** Types that extend or implement it; for a method, theirs of the same name. */
  readonly implementations: readonly IndexedSymbol[];
}
