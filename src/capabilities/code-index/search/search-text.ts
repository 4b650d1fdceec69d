import { basename } from "node:path";
import { kindsOf } from "../../../core/files/path-kinds.ts";
import { demotionsOf, kindsAskedFor } from "../../../core/search/rank/demotions.ts";
import { RANK_WEIGHTS } from "../../../core/search/rank/weights.ts";
import { MATCH_LINES, matchTexts, type TextMatch } from "../../../core/search/text/text-matches.ts";
import { type DiscoveredFile, discoverFiles } from "../scan/discover.ts";
import { directoryOf } from "../scan/import-paths.ts";
import type { CodeQuery, SearchHit, SearchOutput } from "../schemas.ts";
import type { CodeProject } from "../store/project.ts";
import { readRunningIndex } from "../store/run-lock.ts";
import { compileFilePattern } from "./search-code.ts";
import { clipText } from "./search-hit.ts";

/** The answer to a search in a project that is not indexed yet. */
export async function answerFromText(
  project: CodeProject,
  query: CodeQuery,
  { started, signal }: { readonly started: number; readonly signal: AbortSignal },
): Promise<SearchOutput> {
  const hits = await searchText(project.root, query, signal);
  const isRunning = (await readRunningIndex(project)) !== undefined;
  const milliseconds = Math.round((performance.now() - started) * 10) / 10;
  return {
    success: true,
    query: query.query,
    results: hits,
    statistics: {
      total_results: hits.length,
      returned_results: hits.length,
      search_duration_ms: milliseconds,
      cache_hit: false,
      files_changed: 0,
    },
    ...(isRunning && { indexing: true }),
    degraded: isRunning
      ? "The project is being indexed. Until then, only names and text of files are searched."
      : "The project is not indexed. Only names and text of files were searched.",
    message: `Found ${hits.length} results in ${Math.round(milliseconds)}ms`,
  };
}

/** The lines with the most words of the query, and files whose names have them. */
async function searchText(root: string, query: CodeQuery, signal: AbortSignal): Promise<SearchHit[]> {
  const { files } = await discoverFiles(root, { includeTests: true, includeVendor: false }, signal);
  const matches = await matchFiles(root, files, query, signal);
  const relevant = matches.filter(({ score }) => score >= (query.filters.min_relevance ?? 0));
  return relevant.slice(0, query.limit).map(textHit);
}

/** The files that have words of the query, best first. */
export async function matchFiles(
  root: string,
  files: readonly DiscoveredFile[],
  { query, filters }: CodeQuery,
  signal: AbortSignal,
): Promise<TextMatch<DiscoveredFile>[]> {
  const isWanted = filters.file_pattern === undefined ? () => true : compileFilePattern(filters.file_pattern);
  const asksFor = kindsAskedFor(query);
  const factorOf = ({ path }: DiscoveredFile) =>
    demotionsOf(kindsOf(path), asksFor, RANK_WEIGHTS).reduce(
      (product, { factor = 1 }) => product * factor,
      1,
    );
  const wanted = files.filter(({ path }) => isWanted(path)).map((file) => ({ file, factor: factorOf(file) }));
  // If the limit of bytes is reached, source has been read before tests and prose.
  const ordered = wanted.sort((a, b) => b.factor - a.factor).map(({ file }) => file);
  const matches = await matchTexts(root, { query, files: ordered, minLetters: 2 }, signal);
  return matches
    .map((match) => ({ match, score: Math.min(1, match.score * factorOf(match.file)) }))
    .sort((a, b) => b.score - a.score)
    .map(({ match, score }) => ({ ...match, score }));
}

function textHit({ file, lines, at, score }: TextMatch<DiscoveredFile>, position: number): SearchHit {
  const shown = lines().slice(at, at + MATCH_LINES);
  const directory = directoryOf(file.path);
  return {
    chunk_id: 0,
    rank: position + 1,
    relevance_score: Math.round(score * 10_000) / 10_000,
    symbol: {
      name: basename(file.path),
      kind: "file",
      package: directory,
      signature: file.path,
      doc_comment: "",
    },
    file: {
      path: file.path,
      package: directory.split("/").at(-1) ?? "",
      start_line: at + 1,
      end_line: at + Math.max(1, shown.length),
      language: file.language ?? "text",
    },
    content: clipText(shown),
    context_before: "",
    context_after: "",
  };
}
