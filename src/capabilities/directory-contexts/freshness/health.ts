import type { CheckReport, StatusReport } from "../commands/reports.ts";
import type { Entry, Survey } from "../read/survey.ts";

/** What is wrong with a context that is there but cannot be used. */
export function problemOf({ reading, directory }: Entry): string | undefined {
  if (directory.listing === undefined) return "the directory cannot be read";
  if (reading.kind === "corrupt") return `invalid: ${reading.reason}`;
  return reading.kind === "unsupported" ? `newer schema version ${reading.version}` : undefined;
}

export function statusOf(survey: Survey): StatusReport {
  const { root, entries, skipped } = survey;
  return {
    root,
    directories: entries.map((entry) => {
      const problem = problemOf(entry);
      return {
        scope: entry.scope,
        state: entry.state,
        fingerprint: entry.computed,
        ...(entry.reading.kind === "read" && { summary: entry.reading.context.summary }),
        ...(entry.contentChanged !== undefined && { content_changed: entry.contentChanged }),
        ...(problem !== undefined && { problem }),
      };
    }),
    summary: {
      total: entries.length,
      tracked: countIn(survey, "fresh") + countIn(survey, "stale"),
      fresh: countIn(survey, "fresh"),
      stale: countIn(survey, "stale"),
      missing: countIn(survey, "missing"),
      skipped,
    },
  };
}

/** For CI and hooks: a context must be there, valid, and describe the files as they are. */
export function checkOf({ root, entries }: Survey): CheckReport {
  const problems = entries.flatMap((entry): CheckReport["problems"] => {
    const { scope, state, contentChanged } = entry;
    const invalid = problemOf(entry);
    if (invalid !== undefined) return [{ scope, problem: "invalid", detail: invalid }];
    if (state === "missing") return [{ scope, problem: "missing", detail: "no context" }];
    if (state === "fresh" || contentChanged === false) return [];
    const detail = contentChanged
      ? "files changed since the context was written"
      : "files differ in time or size, and git cannot tell more (context not committed, or history cut short)";
    return [{ scope, problem: "changed", detail }];
  });
  return { root, ok: problems.length === 0, checked: entries.length, problems };
}

export const countIn = ({ entries }: Survey, state: Entry["state"]): number =>
  entries.filter((entry) => entry.state === state).length;
