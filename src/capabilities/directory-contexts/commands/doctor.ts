import { asDomainError } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import { byCodeUnit } from "../../../core/order.ts";
import type { Finding } from "../../../core/room-offer.ts";
import type { Contexts } from "../contexts.ts";
import { checkOf, problemOf, statusOf } from "../freshness/health.ts";
import { type AgentsRow, planAgentsFile } from "../generate/agents-file.ts";
import { readSettings } from "../read/settings.ts";
import { type Entry, type Survey, withContentChanges } from "../read/survey.ts";
import type { DoctorReport } from "./reports.ts";

/** The line of the whole product's doctor: a project without contexts is no problem. */
export async function findingsOf(contexts: Contexts, root: string): Promise<readonly Finding[]> {
  const name = "directory contexts";
  try {
    const { signal } = new AbortController();
    const survey = await withContentChanges(await contexts.survey(await contexts.root(root), signal), signal);
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

type Check = DoctorReport["checks"][number];

/** Everything a person would look at first, each with what to do about it. */
export async function examine(
  { machine, contexts }: { readonly machine: Machine; readonly contexts: Contexts },
  root: string,
  signal: AbortSignal,
): Promise<DoctorReport> {
  const settings = settingsCheck(root);
  const survey =
    settings.status === "fail"
      ? undefined
      : await withContentChanges(await contexts.survey(root, signal), signal);
  const checks = [settings, await modelCheck(machine), ...(survey ? surveyChecks(survey) : [])];
  checks.sort((a, b) => byCodeUnit(a.name, b.name));
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

interface Remedy {
  readonly bad: readonly Entry[];
  readonly fix: string;
}

function surveyChecks(survey: Survey): Check[] {
  const { entries, root } = survey;
  const invalid = entries.filter((entry) => problemOf(entry) !== undefined);
  const missing = entries.filter((entry) => entry.state === "missing" && problemOf(entry) === undefined);
  const changed = entries.filter((entry) => entry.state === "stale" && entry.contentChanged !== false);
  const rows = entries.flatMap(({ scope, reading }) =>
    reading.kind === "read" ? [{ scope, summary: reading.context.summary }] : [],
  );
  const check = (name: string, message: string, { bad, fix }: Remedy): Check => ({
    name,
    message: `${bad.length} of ${entries.length} directories ${message}.`,
    ...(bad.length === 0 ? { status: "pass" } : { status: "warn", fix: `contextful directories ${fix}` }),
  });
  return [
    agentsCheck(root, rows),
    check("coverage", "have no context", { bad: missing, fix: "init" }),
    check("staleness", "have changed since described", { bad: changed, fix: "regen --stale" }),
    check("validation", "have an invalid context", { bad: invalid, fix: "validate" }),
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
