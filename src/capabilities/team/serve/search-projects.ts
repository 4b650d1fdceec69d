import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { silentProgress } from "../../../core/progress.ts";
import type { Call } from "../../../core/tool.ts";
import type { ServedProject } from "../access/access-book.ts";
import type { FollowedProject } from "./followed-projects.ts";
import { MergedHit, MergedHits, mostOf, type ProjectBound } from "./merge-hits.ts";
import type { ServedProjects } from "./served-projects.ts";

export interface ProjectSearch {
  readonly query: string;
  readonly limit: number;
  readonly projects: readonly ServedProject[];
  /** Asks one index what it could find at most. */
  upperBound(index: FollowedProject, call: Call): Promise<unknown>;
  /** Asks one index for hits of at least this relevance. */
  search(index: FollowedProject, leastRelevance: number, call: Call): Promise<unknown>;
}
interface BoundedProject {
  readonly project: ServedProject;
  readonly upperBound: ProjectBound;
}

/** Searches run on one thread: more at once only wait for each other, but some wait for the disk or the store. */
const AT_ONCE = 8;
const Found = z.object({
  results: z.array(z.looseObject({})),
  statistics: z.object({ total_results: z.int(), cache_hit: z.boolean() }),
});
const Bound = z.object({ most: z.number(), total: z.int(), hasName: z.boolean() }).optional();
/** Of a search that does not rank. */
const UNKNOWN: ProjectBound = { most: Number.POSITIVE_INFINITY, total: undefined, hasName: true };

/** The cost of a search grows with the projects: each is asked. */
const MOST_PROJECTS = 200;

/**
 * One ranking of the hits of many projects. Each is asked what it could find at most, and those that could reach the best
 * hits so far are searched. A project that fails is named and does not spoil the rest.
 */
export async function searchProjects(
  served: Pick<ServedProjects, "use">,
  { query, limit, projects, upperBound, search }: ProjectSearch,
  { signal, actor, caller }: Call,
) {
  if (projects.length > MOST_PROJECTS) throw tooMany(projects.length);
  const started = performance.now();
  const call: Call = { signal, actor, caller, progress: silentProgress };
  const asked = projects.filter(({ commit }) => commit !== null);
  const unavailable = new Set<string>();
  const use = async (project: ServedProject, run: (index: FollowedProject) => Promise<void>) => {
    signal.throwIfAborted();
    try {
      await served.use(project, run, signal);
    } catch (thrown) {
      // A wrong query is wrong for every project.
      if (thrown instanceof DomainError && thrown.code === "invalid_input") throw thrown;
      signal.throwIfAborted();
      unavailable.add(project.name);
    }
  };
  const bounded: BoundedProject[] = [];
  await eachOf(asked, (project) =>
    use(project, async (index) => {
      bounded.push({ project, upperBound: Bound.parse(await upperBound(index, call)) ?? UNKNOWN });
    }),
  );
  bounded.sort(
    (a, b) => mostOf(b.upperBound) - mostOf(a.upperBound) || byCodeUnit(a.project.name, b.project.name),
  );
  const hits = new MergedHits(query, limit);
  let total = bounded.reduce((sum, { upperBound: { total: found = 0 } }) => sum + found, 0);
  let isCached = bounded.length > 0;
  for (const { project, upperBound: expected } of bounded) {
    if (!hits.mayTake(project.name, expected)) continue;
    await use(project, async (index) => {
      const { results, statistics } = Found.parse(await search(index, hits.leastRelevance(expected), call));
      const { commit } = index.generation;
      hits.add(
        results.map((hit) => MergedHit.parse({ ...hit, project: project.name, commit })),
        expected,
      );
      if (expected.total === undefined) total += statistics.total_results;
      isCached &&= statistics.cache_hit;
    });
  }
  const results = hits.best();
  const milliseconds = Math.round((performance.now() - started) * 10) / 10;
  return {
    success: true,
    query,
    projects: asked.length,
    unavailable: [...unavailable].sort(),
    results,
    statistics: {
      total_results: total,
      returned_results: results.length,
      search_duration_ms: milliseconds,
      cache_hit: isCached,
      files_changed: 0,
    },
    message: `Found ${total} results in ${asked.length} projects`,
  };
}

async function eachOf<T>(values: readonly T[], run: (value: T) => Promise<void>): Promise<void> {
  const waiting = [...values];
  const next = async () => {
    for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) await run(value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

const tooMany = (count: number) =>
  new DomainError(
    "invalid_input",
    `A search takes at most ${MOST_PROJECTS} projects, and these are ${count}. Name them in projects; list_projects lists those that you may use.`,
    { reason: "schema", details: { param: "projects", params: ["projects"] } },
  );
