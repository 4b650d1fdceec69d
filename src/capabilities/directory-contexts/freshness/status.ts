import { asDomainError } from "../../../core/errors.ts";
import type { Finding } from "../../../core/room-offer.ts";
import type { Contexts } from "../contexts.ts";
import { type ProjectSurvey, type SurveyEntry, withContentChanges } from "../read/survey.ts";
import type { DirectoryStatus, StatusReport } from "../reports.ts";

/** What is wrong with a context that is there but cannot be used. */
export function problemOf({ reading, directory }: SurveyEntry): string | undefined {
  if (directory.listing === undefined) return "the directory cannot be read";
  if (reading.kind === "corrupt") return `invalid: ${reading.reason}`;
  return reading.kind === "unsupported" ? `newer schema version ${reading.version}` : undefined;
}

export function statusOf({ root, entries, skipped }: ProjectSurvey): Omit<StatusReport, "ok"> {
  const count = (state: SurveyEntry["state"]) => entries.filter((entry) => entry.state === state).length;
  const [fresh, stale, missing] = [count("fresh"), count("stale"), count("missing")];
  return {
    root,
    directories: entries.map(directoryStatus),
    summary: { total: entries.length, tracked: fresh + stale, fresh, stale, missing, skipped },
  };
}

function directoryStatus(entry: SurveyEntry): DirectoryStatus {
  const problem = problemOf(entry);
  return {
    scope: entry.scope,
    state: entry.state,
    fingerprint: entry.computed,
    ...(entry.reading.kind === "read" && { summary: entry.reading.context.summary }),
    ...(entry.contentChanged !== undefined && { content_changed: entry.contentChanged }),
    ...(problem !== undefined && { problem }),
  };
}

/** Missing, invalid, or the files changed. A fresh clone has new times only, so it is not out of date. */
export const isOutOfDate = ({ state, content_changed }: DirectoryStatus): boolean =>
  state !== "fresh" && content_changed !== false;

/** The room's line in `contextful doctor`. A project without contexts is not a problem. */
export async function doctorFindings(contexts: Contexts, root: string): Promise<readonly Finding[]> {
  const name = "directory contexts";
  try {
    const { signal } = new AbortController();
    const survey = await contexts.surveyNeeded(await contexts.root(root), signal);
    const { summary, directories } = statusOf(await withContentChanges(survey, signal));
    if (summary.tracked === 0) {
      return [{ name, state: "note", detail: "none yet; contextful directories init writes them" }];
    }
    const outOfDate = directories.filter(isOutOfDate).length;
    const detail = `${summary.tracked} of ${summary.total} directories described, ${outOfDate} need care`;
    return [{ name, state: outOfDate === 0 ? "ok" : "note", detail }];
  } catch (thrown) {
    return [{ name, state: "problem", detail: asDomainError(thrown).message }];
  }
}
