import { basename } from "node:path";
import { LruCache } from "../../../core/lru-cache.ts";
import { openFreshness } from "../scan/freshness.ts";
import type { CodeQuery, ExplainedSearchHit, ExplainedSearchOutput } from "../schemas.ts";
import { type OpenIndexes, requireIndex } from "../store/open-indexes.ts";
import type { CodeProject } from "../store/project.ts";
import { readRunningIndex } from "../store/run-lock.ts";
import { type CodeSearchResult, searchCode } from "./search-code.ts";

interface CachedSearchResult {
  readonly found: CodeSearchResult;
  readonly hits: readonly ExplainedSearchHit[];
  /** Paths of the hits whose file has changed since it was indexed. */
  readonly changed: ReadonlySet<string>;
  /** Changes whenever the index changes. */
  readonly state: string;
  readonly isCached: boolean;
}
interface SearchMoment {
  /** The files that the index is behind on. */
  readonly behind: readonly string[];
  /** By `performance.now()`. */
  readonly started: number;
  readonly signal: AbortSignal;
}
const MAX_CACHED = 200;

/** Searches projects. Repeated queries come from a cache; whether files have changed is checked every time. */
export class CachedSearch {
  readonly #indexes: OpenIndexes;
  readonly #openFreshness: typeof openFreshness;
  /** The key includes the index's generation, so no result outlives its index. */
  readonly #cache = new LruCache<CodeSearchResult>(MAX_CACHED);

  constructor(indexes: OpenIndexes, freshness = openFreshness) {
    this.#indexes = indexes;
    this.#openFreshness = freshness;
  }

  search(project: CodeProject, query: CodeQuery, signal: AbortSignal): Promise<CachedSearchResult> {
    return this.#indexes.use(project, async (opened) => {
      const code = requireIndex(opened);
      const state = `${basename(code.store.file)}@${code.index.generation()}`;
      const key = `${project.directory}\0${state}\0${JSON.stringify(query)}`;
      const cached = this.#cache.get(key);
      const found = cached ?? (await searchCode(code, query, signal));
      // What is missing now may be there at the next question.
      if (!cached && found.degraded === undefined) this.#cache.set(key, found);
      return {
        found,
        ...withFreshness(this.#openFreshness(project.root), found),
        state,
        isCached: cached !== undefined,
      };
    });
  }

  /** The contract's answer to a search. */
  async answer(
    project: CodeProject,
    query: CodeQuery,
    { behind, started, signal }: SearchMoment,
  ): Promise<ExplainedSearchOutput> {
    const { found, hits, changed, isCached } = await this.search(project, query, signal);
    const running = await readRunningIndex(project);
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    return {
      success: true,
      query: query.query,
      results: [...hits],
      statistics: {
        total_results: found.total,
        returned_results: hits.length,
        search_duration_ms: milliseconds,
        cache_hit: isCached,
        files_changed: new Set([...behind, ...changed]).size,
        ...(found.model !== undefined && { model: found.model }),
      },
      ...(running && { indexing: true }),
      ...(found.degraded !== undefined && { degraded: found.degraded }),
      ...(found.nearestNames && {
        unknown_name: { name: query.query.trim(), nearest: [...found.nearestNames] },
      }),
      message: `Found ${found.total} results in ${Math.round(milliseconds)}ms`,
    };
  }
}

function withFreshness(
  isFresh: ReturnType<typeof openFreshness>,
  found: CodeSearchResult,
): Pick<CachedSearchResult, "hits" | "changed"> {
  const changed = new Set(found.hits.filter(({ file }) => !isFresh(file)).map(({ file }) => file.path));
  const hits = found.hits.map(({ hit }) => (changed.has(hit.file.path) ? { ...hit, fresh: false } : hit));
  return { hits, changed };
}
