import { join } from "node:path";
import { byCodeUnit } from "../../../core/order.ts";
import { statOf } from "../freshness/fingerprint.ts";
import { countIn } from "../freshness/health.ts";
import { languageName } from "../generate/sources/sources.ts";
import type { Entry, Survey } from "../read/survey.ts";
import { CONTEXT_FILE, METADATA } from "../schema.ts";
import type { StatsReport } from "./reports.ts";

export function statsOf(survey: Survey): StatsReport {
  const { root, entries } = survey;
  const described = entries.filter(({ reading }) => reading.kind === "read");
  const sourceTokens = described.reduce((sum, { directory }) => sum + directory.tokens, 0);
  const contextTokens = described.reduce((sum, { scope }) => sum + contextSize(join(root, scope)), 0);
  const languages = new Map<string, number>();
  for (const name of entries.flatMap(({ directory }) => directory.sources)) {
    const language = languageName(name);
    if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + 1);
  }
  return {
    root,
    directories: entries.length,
    tracked: described.length,
    fresh: countIn(survey, "fresh"),
    stale: countIn(survey, "stale"),
    missing: countIn(survey, "missing"),
    source_tokens: sourceTokens,
    context_tokens: contextTokens,
    ratio: contextTokens === 0 ? 0 : Math.round((sourceTokens / contextTokens) * 10) / 10,
    hand_written_fields: described.reduce((sum, entry) => sum + handWritten(entry), 0),
    languages: [...languages]
      .map(([language, files]) => ({ language, files }))
      .sort((a, b) => b.files - a.files || byCodeUnit(a.language, b.language)),
  };
}

const contextSize = (directory: string) => Math.ceil((statOf(join(directory, CONTEXT_FILE))?.size ?? 0) / 4);

function handWritten({ reading }: Entry): number {
  if (reading.kind !== "read") return 0;
  const derived = reading.context.derived_fields ?? [];
  return Object.keys(reading.context).filter(
    (field) =>
      field !== "derived_fields" &&
      !METADATA.some((name) => name === field) &&
      !derived.some((name) => name === field || name === `llm.${field}` || name.startsWith(`${field}.`)),
  ).length;
}
