import type { SearchHit } from "../../../../capabilities/code-index/index.ts";
import { callPageTool, callTool, session } from "../app/api.ts";
import type { CodeSpan } from "../parts/code-lines.ts";

export const PLACES = ["all", "code", "memory", "documents"] as const;
type SearchPlace = (typeof PLACES)[number];
export const SEARCH_MODES = ["hybrid", "keyword", "vector", "literal", "regex"] as const;
type SearchMode = (typeof SEARCH_MODES)[number];
export const SYMBOL_KINDS = ["function", "method", "struct", "interface", "type", "const", "var"] as const;

export interface SearchForm {
  readonly query: string;
  readonly place: SearchPlace;
  readonly mode: SearchMode;
  readonly files: string;
  readonly kind: string;
}

/** Places in both lists, and what each step of the ranking added or multiplied. */
export interface ShownExplanation {
  readonly keyword_rank?: number;
  readonly vector_rank?: number;
  readonly exact_name?: boolean;
  readonly score: number;
  readonly steps: readonly { readonly step: string; readonly bonus?: number; readonly factor?: number }[];
}
export interface ExplainedHit extends SearchHit {
  /** Not in answers of the contract's own tool. */
  readonly explanation?: ShownExplanation;
  /** Of a search over many projects. */
  readonly project?: string;
  readonly commit?: string;
}
export interface CodeAnswer {
  readonly results: readonly ExplainedHit[];
  readonly statistics: {
    readonly total_results: number;
    readonly search_duration_ms: number;
    readonly files_changed: number;
    readonly model?: string;
  };
  readonly degraded?: string;
  readonly message: string;
}
export interface MemoryLine {
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly score: number;
  readonly type: string;
  readonly scope: string;
  readonly suspect?: boolean;
}
export interface FoundDocument {
  readonly id: string;
  readonly score: number;
  readonly title: string | null;
  readonly source: string;
  readonly source_id: string;
  readonly updated_at: string;
  readonly snippet: string;
  readonly source_url: string | null;
}

const LIMIT = 20;

export function searchCode(form: SearchForm, signal: AbortSignal): Promise<CodeAnswer> {
  const { query, mode, files, kind } = form;
  if (mode === "hybrid" || mode === "literal" || mode === "regex") {
    const match = mode === "hybrid" ? {} : { match: mode };
    const part = files === "" ? {} : { path: files };
    const input = { query, limit: LIMIT, explain: true, ...match, ...part, ...(kind && { kind: [kind] }) };
    return callTool("code_search", input, signal);
  }
  const filters = { ...(files && { file_pattern: files }), ...(kind && { symbol_types: [kind] }) };
  const path = session.value?.root ?? "";
  return callTool("search_code", { path, query, limit: LIMIT, search_mode: mode, filters }, signal);
}

export const searchMemory = ({ query }: SearchForm, signal: AbortSignal): Promise<readonly MemoryLine[]> =>
  callTool("memory_search", { query, limit: LIMIT }, signal);

export function searchDocuments(
  { query, mode }: Pick<SearchForm, "query" | "mode">,
  signal: AbortSignal,
): Promise<{ results: readonly FoundDocument[] }> {
  const modes = {
    hybrid: "hybrid",
    vector: "semantic",
    keyword: "keyword",
    literal: "keyword",
    regex: "keyword",
  };
  return callTool("search", { query, mode: modes[mode], limit: LIMIT }, signal);
}

/** Colours for the sources of hits, in their order. Results are shown before their colours are known. */
export async function colorsOf(
  sources: readonly { path: string; text: string }[],
  signal: AbortSignal,
): Promise<readonly (readonly CodeSpan[])[]> {
  if (sources.length === 0) return [];
  const answer = await callPageTool<{ spans: readonly (readonly CodeSpan[])[] }>(
    "page_highlight",
    { sources },
    signal,
  );
  return answer.spans;
}
