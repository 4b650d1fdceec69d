import { z } from "zod";

const QueryText = z
  .string()
  .max(10_000)
  .refine((text) => text.trim() !== "", "query must not be empty")
  .describe("Words or a question to look for");
export const Mode = z
  .enum(["keyword", "semantic", "hybrid"])
  .default("keyword")
  .describe("keyword: by words; semantic: by meaning; hybrid: both");
export const Limit = z
  .int()
  .min(1)
  .max(100)
  .optional()
  .describe("Most documents to return; 12 unless configured otherwise");
export const Since = z.string().describe("Only documents updated at or after this date or RFC 3339 time");
export const Until = z.string().describe("Only documents updated at or before this date or RFC 3339 time");
export const DocumentQuery = z.object({
  query: QueryText,
  mode: Mode,
  limit: Limit,
  filters: z
    .object({
      source: z.string().nullish().describe("Exact source label, e.g. filesystem:docs"),
      tags: z.array(z.string()).nullish().describe("Only documents with all of these tags"),
      since: Since.nullish(),
      until: Until.nullish(),
    })
    .nullish(),
});
export type DocumentQuery = z.output<typeof DocumentQuery>;

export const Id = z.string().min(1).max(200).describe("StoredDocument id from a search result");

export const DocumentHit = z.object({
  id: z.string(),
  score: z.number(),
  title: z.string().nullable(),
  source: z.string(),
  source_id: z.string(),
  updated_at: z.string(),
  snippet: z.string(),
  source_url: z.string().nullable(),
});
export type DocumentHit = z.output<typeof DocumentHit>;

export const StoredDocument = z.object({
  id: z.string(),
  source: z.string(),
  source_id: z.string(),
  source_url: z.string().nullable(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  content_type: z.string(),
  body: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  chunks: z.array(z.object({ index: z.int(), text: z.string() })),
});
export type StoredDocument = z.output<typeof StoredDocument>;

export const SourceState = z.object({
  name: z.string(),
  configured: z.boolean(),
  healthy: z.boolean(),
  notes: z.string().nullable(),
});
export type SourceState = z.output<typeof SourceState>;

/** How the score came about; only shown to people. */
export const ScoreExplanation = z.object({
  keyword_score: z.number(),
  semantic_score: z.number(),
  alpha: z.number(),
  keyword_candidates: z.int(),
  vector_candidates: z.int(),
});
export type ScoreExplanation = z.output<typeof ScoreExplanation>;

export const Stats = z.object({
  documents: z.int(),
  chunks: z.int(),
  embedded: z.int(),
  size_bytes: z.int(),
  sources: z.array(
    z.object({
      source: z.string(),
      documents: z.int(),
      chunks: z.int(),
      last_sync: z.string().nullable(),
      last_complete: z.string().nullable(),
    }),
  ),
  problems: z.array(z.string()),
});
export type Stats = z.output<typeof Stats>;

export const AddSourceRequest = z.object({
  source: z
    .string()
    .min(1)
    .describe("A directory of the project, a web page, a sitemap, or a git repository"),
  name: z.string().optional().describe("Name of the source; default: from the directory or the address"),
  yes: z.boolean().default(false).describe("Write without asking"),
});
export type AddSourceRequest = z.output<typeof AddSourceRequest>;

export const AddedSource = z.object({
  label: z.string(),
  file: z.string(),
  diff: z.string(),
  written: z.boolean(),
});
export type AddedSource = z.output<typeof AddedSource>;
