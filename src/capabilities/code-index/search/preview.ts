import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { refuseTooWide } from "../../../core/files/allowed-roots.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { prepareFiles } from "../prepare/prepare-files.ts";
import { type DiscoveredFile, discoverFiles } from "../scan/discover.ts";
import { openImportPaths } from "../scan/import-paths.ts";
import { planRun } from "../scan/plan.ts";
import type { CodeQuery, ExplainedSearchOutput } from "../schemas.ts";
import { createCodeStore } from "../store/code-store.ts";
import type { CodeProject } from "../store/project.ts";
import { readRunningIndex } from "../store/run-lock.ts";
import { writePrepared } from "../store/stored-files.ts";
import { type CodeSearchResult, searchCode } from "./search-code.ts";
import { matchFiles } from "./search-text.ts";

/** Less than this is indexed in the time of a preview. */
const FEW_BYTES = 600_000;
/** Parsing is what takes time, so few of the files are parsed. */
const PARSED_FILES = 40;
const PARSED_BYTES = 400_000;

export interface PreviewOptions {
  readonly embeddings: Embeddings;
  /** By `performance.now()`. */
  readonly started: number;
  readonly signal: AbortSignal;
}

/**
 * Answers before there is an index: the files with the most words of the question are searched as an index of their own.
 * `undefined` if all files can be indexed in the same time, or none is code.
 */
export async function previewSearch(
  project: CodeProject,
  query: CodeQuery,
  { embeddings, started, signal }: PreviewOptions,
): Promise<ExplainedSearchOutput | undefined> {
  refuseTooWide(project.root, "contextful code index PATH --force");
  const { files, hasSource } = await discoverFiles(project.root, ALL_FILES, signal);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (!hasSource || bytes < FEW_BYTES) return undefined;
  const matches = await matchFiles(project.root, files, query, signal);
  const best = firstOf(matches.map(({ file }) => file));
  const found = await searchAlone(project, best, query, { embeddings, signal });
  const isRunning = (await readRunningIndex(project)) !== undefined;
  const milliseconds = Math.round((performance.now() - started) * 10) / 10;
  return {
    success: true,
    query: query.query,
    results: found.hits.map(({ hit }) => hit),
    statistics: {
      total_results: found.total,
      returned_results: found.hits.length,
      search_duration_ms: milliseconds,
      cache_hit: false,
      files_changed: 0,
      ...(found.model !== undefined && { model: found.model }),
    },
    ...(isRunning && { indexing: true }),
    degraded: `The project is ${isRunning ? "being indexed" : "not indexed yet"}. Only ${best.length === 1 ? "one file" : `${best.length} files`} with words of the question ${best.length === 1 ? "was" : "were"} searched.`,
    index_first: project.root,
    message: `Found ${found.total} results in ${Math.round(milliseconds)}ms`,
  };
}

const ALL_FILES = { includeTests: true, includeVendor: false } as const;

function firstOf(files: readonly DiscoveredFile[]): DiscoveredFile[] {
  let bytes = 0;
  return files.slice(0, PARSED_FILES).filter(({ size }) => {
    bytes += size;
    return bytes <= PARSED_BYTES || bytes === size;
  });
}

/** Ranked as in an index of the whole project; only how rare a word is differs. */
async function searchAlone(
  { root, directory }: CodeProject,
  files: readonly DiscoveredFile[],
  query: CodeQuery,
  { embeddings, signal }: Pick<PreviewOptions, "embeddings" | "signal">,
): Promise<CodeSearchResult> {
  const nothing = { known: new Map(), skipped: new Map(), firstId: 1 };
  const { toPrepare } = planRun(files, nothing, openImportPaths(root));
  const prepared = await prepareFiles({ root, files: toPrepare }, await embeddings.quick(), signal);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const scratch = mkdtempSync(join(directory, "preview-"));
  try {
    using code = await createCodeStore(join(scratch, "code.sqlite"), embeddings);
    code.store.exec("PRAGMA synchronous = OFF");
    code.store.transaction(() => writePrepared(code, prepared));
    return await searchCode(code, query, signal);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
