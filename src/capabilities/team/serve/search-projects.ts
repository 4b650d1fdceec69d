import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { silentProgress } from "../../../core/progress.ts";
import type { Call } from "../../../core/tool.ts";
import type { ServedProject } from "../access/access-book.ts";
import type { FollowedProject } from "./followed-projects.ts";
import { MergedHit, mergeHits } from "./merge-hits.ts";
import type { ServedProjects } from "./served-projects.ts";

export interface ProjectSearch {
  readonly query: string;
  readonly limit: number;
  readonly projects: readonly ServedProject[];
  /** Asks one index. */
  search(index: FollowedProject, call: Call): Promise<unknown>;
}

/** Searches run on one thread: more at once only wait for each other, but some wait for the disk or the store. */
const AT_ONCE = 8;
const Found = z.object({
  results: z.array(z.looseObject({})),
  statistics: z.object({ total_results: z.int(), cache_hit: z.boolean() }),
});

/** The cost of a search grows with the projects: each is asked. */
const MOST_PROJECTS = 200;

/** Searches projects side by side and merges what they found. A project that fails is named and does not spoil the rest. */
export async function searchProjects(
  served: ServedProjects,
  { query, limit, projects, search }: ProjectSearch,
  { signal, actor, caller }: Call,
) {
  if (projects.length > MOST_PROJECTS) throw tooMany(projects.length);
  const started = performance.now();
  const call: Call = { signal, actor, caller, progress: silentProgress };
  const hits: MergedHit[] = [];
  const unavailable: string[] = [];
  let total = 0;
  let isCached = projects.length > 0;
  const waiting = projects.filter(({ commit }) => commit !== null);
  const next = async () => {
    for (let project = waiting.shift(); project; project = waiting.shift()) {
      signal.throwIfAborted();
      const { name } = project;
      try {
        await served.use(
          project,
          async (index) => {
            const { results, statistics } = Found.parse(await search(index, call));
            const { commit } = index.generation;
            for (const hit of results) hits.push(MergedHit.parse({ ...hit, project: name, commit }));
            total += statistics.total_results;
            isCached &&= statistics.cache_hit;
          },
          signal,
        );
      } catch (thrown) {
        // A wrong query is wrong for every project.
        if (thrown instanceof DomainError && thrown.code === "invalid_input") throw thrown;
        signal.throwIfAborted();
        unavailable.push(name);
      }
    }
  };
  const searched = waiting.length;
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const results = mergeHits(query, hits, limit);
  const milliseconds = Math.round((performance.now() - started) * 10) / 10;
  return {
    success: true,
    query,
    projects: searched,
    unavailable: unavailable.sort(),
    results,
    statistics: {
      total_results: total,
      returned_results: results.length,
      search_duration_ms: milliseconds,
      cache_hit: isCached,
      files_changed: 0,
    },
    message: `Found ${total} results in ${searched} projects`,
  };
}

const tooMany = (count: number) =>
  new DomainError(
    "invalid_input",
    `A search takes at most ${MOST_PROJECTS} projects, and these are ${count}. Name them in projects; list_projects lists those that you may use.`,
    { reason: "schema", details: { param: "projects", params: ["projects"] } },
  );
