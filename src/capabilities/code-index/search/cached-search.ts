import { basename } from "node:path";
import { LruCache } from "../../../core/lru-cache.ts";
import { openFreshness } from "../scan/freshness.ts";
import type { SearchHit } from "../schemas.ts";
import { type OpenIndexes, required } from "../store/open-indexes.ts";
import type { Project } from "../store/project.ts";
import { type CodeQuery, type Found, searchProject } from "./search-code.ts";

interface CodeAnswer {
  readonly found: Found;
  readonly results: SearchHit[];
  /** Files among the results that are no longer what was indexed. */
  readonly changed: ReadonlySet<string>;
  /** The same as long as the index is. */
  readonly state: string;
  readonly isRemembered: boolean;
}

/** Answers from memory where the same was asked of the same index; whether files have changed is looked at every time. */
export function openAnswers(indexes: OpenIndexes) {
  /** By everything that decides them: the index's generation is part of the key, so none outlives it. */
  const remembered = new LruCache<Found>(200);
  return (project: Project, asked: CodeQuery, signal: AbortSignal): Promise<CodeAnswer> =>
    indexes.use(project, async (opened) => {
      const code = required(opened);
      const state = `${basename(code.store.file)}@${code.index.generation()}`;
      const key = `${project.directory}\0${state}\0${JSON.stringify(asked)}`;
      const known = remembered.get(key);
      const found = known ?? (await searchProject(code, asked, signal));
      if (!known) remembered.set(key, found);
      return { found, ...withFreshness(project.root, found), state, isRemembered: known !== undefined };
    });
}

function withFreshness(root: string, { hits }: Found): Pick<CodeAnswer, "results" | "changed"> {
  const isFresh = openFreshness(root);
  const changed = new Set<string>();
  for (const { file } of hits) if (!isFresh(file)) changed.add(file.path);
  const results = hits.map(({ hit }) => (changed.has(hit.file.path) ? { ...hit, fresh: false } : hit));
  return { results, changed };
}
