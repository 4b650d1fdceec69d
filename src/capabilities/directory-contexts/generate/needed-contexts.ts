import type { ProjectSurvey, SurveyEntry } from "../read/survey.ts";
import { readSources } from "./sources/sources.ts";
import { openSummarizedProject, summarizeDirectory } from "./summarize-directory.ts";

export type FindNeededContexts = (survey: ProjectSurvey, signal: AbortSignal) => Promise<ProjectSurvey>;

/**
 * A survey without the directories that have no context and would get none. Files with the same fingerprint are not read
 * again: `watch` looks at all directories every second.
 */
export function openNeededContexts(): FindNeededContexts {
  const known = new Map<string, boolean>();
  return async (survey, signal) => {
    const { root, entries } = survey;
    // Before the first `init`, every directory is missing.
    if (entries.find(({ scope }) => scope === ".")?.reading.kind === "missing") return survey;
    const project = openSummarizedProject(root);
    const needed: SurveyEntry[] = [];
    for (const entry of entries) {
      signal.throwIfAborted();
      const key = `${root}\0${entry.scope}\0${entry.computed}`;
      const isNeeded =
        entry.reading.kind !== "missing" ||
        entry.directory.isRequired === true ||
        (known.get(key) ?? (await isDescribable(entry)));
      if (entry.reading.kind === "missing") known.set(key, isNeeded);
      if (isNeeded) needed.push(entry);
    }
    return { ...survey, entries: needed, skipped: survey.skipped + entries.length - needed.length };

    async function isDescribable({ directory }: SurveyEntry): Promise<boolean> {
      const sources = await readSources(root, directory);
      return (await summarizeDirectory({ directory, sources, children: [] }, project)).isInformative;
    }
  };
}
