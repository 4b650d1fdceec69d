import { join } from "node:path";
import { asDomainError } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Finding } from "../../core/offer.ts";
import { type AgentsRow, planAgentsFile } from "./agents-file.ts";
import type { Contexts } from "./contexts.ts";
import { statOf } from "./fingerprint.ts";
import { languageName } from "./generate/sources.ts";
import type { CheckReport, DoctorReport, StatsReport, StatusReport } from "./reports.ts";
import { CONTEXT_FILE, METADATA } from "./schema.ts";
import { readSettings } from "./settings.ts";
import type { Entry, Survey } from "./survey.ts";

type Check = DoctorReport["checks"][number];

const count = ({ entries }: Survey, state: Entry["state"]) =>
  entries.filter((entry) => entry.state === state).length;

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
      tracked: count(survey, "fresh") + count(survey, "stale"),
      fresh: count(survey, "fresh"),
      stale: count(survey, "stale"),
      missing: count(survey, "missing"),
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
    fresh: count(survey, "fresh"),
    stale: count(survey, "stale"),
    missing: count(survey, "missing"),
    source_tokens: sourceTokens,
    context_tokens: contextTokens,
    ratio: contextTokens === 0 ? 0 : Math.round((sourceTokens / contextTokens) * 10) / 10,
    hand_written_fields: described.reduce((sum, entry) => sum + handWritten(entry), 0),
    languages: [...languages]
      .map(([language, files]) => ({ language, files }))
      .sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1)),
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

/** The line of the whole product's doctor: a project without contexts is no problem. */
export async function findingsOf(contexts: Contexts, root: string): Promise<readonly Finding[]> {
  const name = "directory contexts";
  try {
    const survey = await contexts.survey(await contexts.root(root), new AbortController().signal);
    const { summary } = statusOf(survey);
    if (summary.tracked === 0) {
      return [{ name, state: "note", detail: "none yet; contextful directories init writes them" }];
    }
    const { problems } = checkOf(survey);
    const detail = `${summary.tracked} of ${summary.total} directories described, ${problems.length} need care`;
    return [{ name, state: problems.length === 0 ? "ok" : "note", detail }];
  } catch (thrown) {
    return [{ name, state: "problem", detail: asDomainError(thrown).message }];
  }
}

/** Everything a person would look at first, each with what to do about it. */
export async function examine(
  machine: Machine,
  contexts: Contexts,
  root: string,
  signal: AbortSignal,
): Promise<DoctorReport> {
  const checks: Check[] = [settingsCheck(root), await modelCheck(machine)];
  if (checks.every(({ name, status }) => name !== "config" || status !== "fail")) {
    checks.push(...surveyChecks(await contexts.survey(root, signal)));
  }
  checks.sort((a, b) => (a.name < b.name ? -1 : 1));
  const of = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  return { checks, summary: { pass: of("pass"), warn: of("warn"), fail: of("fail") } };
}

function settingsCheck(root: string): Check {
  try {
    readSettings(root);
    return { name: "config", status: "pass", message: "Settings are valid." };
  } catch (thrown) {
    const { message } = asDomainError(thrown);
    return { name: "config", status: "fail", message, fix: "Correct .context.config.yaml." };
  }
}

async function modelCheck(machine: Machine): Promise<Check> {
  const { llm } = await machine.config();
  if (!llm) return { name: "model", status: "pass", message: "No model is configured; none is needed." };
  if (machine.env[llm.api_key_env]) return { name: "model", status: "pass", message: `Model ${llm.model}.` };
  return {
    name: "model",
    status: "warn",
    message: `Model ${llm.model} is configured without a key in ${llm.api_key_env}.`,
    fix: `Set ${llm.api_key_env}, unless the endpoint needs none.`,
  };
}

function surveyChecks(survey: Survey): Check[] {
  const { entries, root } = survey;
  const total = entries.length;
  const invalid = entries.filter((entry) => problemOf(entry) !== undefined);
  const missing = entries.filter((entry) => entry.state === "missing" && problemOf(entry) === undefined);
  const changed = entries.filter((entry) => entry.state === "stale" && entry.contentChanged !== false);
  const rows = entries.flatMap(({ scope, reading }) =>
    reading.kind === "read" ? [{ scope, summary: reading.context.summary }] : [],
  );
  const check = (name: string, bad: readonly Entry[], word: string, fix: string): Check =>
    bad.length === 0
      ? { name, status: "pass", message: `0 of ${total} directories ${word}.` }
      : { name, status: "warn", message: `${bad.length} of ${total} directories ${word}.`, fix };
  return [
    agentsCheck(root, rows),
    check("coverage", missing, "have no context", "contextful directories init"),
    check("staleness", changed, "have changed since described", "contextful directories regen --stale"),
    check("validation", invalid, "have an invalid context", "contextful directories validate"),
  ];
}

function agentsCheck(root: string, rows: readonly AgentsRow[]): Check {
  const name = "agents_md";
  const plan = planAgentsFile(root, rows);
  if (plan.refusal !== undefined) {
    return { name, status: "warn", message: `AGENTS.md is left alone: ${plan.refusal}.` };
  }
  if (rows.length === 0) return { name, status: "pass", message: "There are no contexts for AGENTS.md yet." };
  if (plan.before === plan.after) return { name, status: "pass", message: "AGENTS.md lists the contexts." };
  return {
    name,
    status: "warn",
    message: "AGENTS.md does not list the contexts as they are.",
    fix: "contextful directories regen --stale",
  };
}
