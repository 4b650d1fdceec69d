import { rmSync } from "node:fs";
import { join, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import type { Contexts } from "../contexts.ts";
import { depthOf } from "../read/scan-directories.ts";
import { locateScope } from "../read/scope.ts";
import { readSettings } from "../read/settings.ts";
import type { ProjectSurvey } from "../read/survey.ts";
import type { GenerationReport } from "../reports.ts";
import { type AgentsPlan, hasAgentsSection, planAgentsFile } from "./agents-file.ts";
import { openCommandWriter } from "./command-writer.ts";
import { openImportMap } from "./imports/import-map.ts";
import { openModelWriter, type SummaryWriter } from "./model-writer.ts";
import { type ContextPlan, planEntry, type RegenerateRun } from "./plan-context.ts";
import { openNodeManagers } from "./sources/node-manager.ts";
import { openSummarizedProject } from "./summarize-directory.ts";
import { childScopes, hasOutdatedChildren, type SummaryByScope, summariesOf } from "./tree-summaries.ts";
import { type WriteJob, writePlans } from "./write-plans.ts";

export interface RegenerateOptions {
  readonly root: string;
  /** One directory and everything below it. */
  readonly dir?: string | undefined;
  readonly stale: boolean;
  readonly full: boolean;
  readonly llm: boolean;
  /** The name of the user's program that writes summaries. */
  readonly with?: string | undefined;
  /** Write the program's summaries without asking. */
  readonly yes: boolean;
  /** Whether AGENTS.md gets its section; `undefined`: only if it has one already. */
  readonly agents?: boolean | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
}

interface RegenerateDependencies {
  readonly machine: Machine;
  readonly contexts: Contexts;
}

/** Writes contexts from the files, deepest directories first, and keeps what people wrote. */
export async function regenerate(
  dependencies: RegenerateDependencies,
  options: RegenerateOptions,
  call: Call,
): Promise<GenerationReport> {
  const survey = await tidySurvey(dependencies, options, call.signal);
  refuseSubdirectory(survey);
  const target = targetOf(survey, options);
  const named = options.dir === undefined ? undefined : target;
  const run = await prepare(dependencies.machine, survey, { ...options, named, signal: call.signal });
  const summaries = summariesOf(survey);
  const plans: ContextPlan[] = [];
  const deepestFirst = survey.entries
    .filter(({ scope }) => isWithin(target, scope))
    .sort((a, b) => depthOf(b.scope) - depthOf(a.scope));
  for (const [done, entry] of deepestFirst.entries()) {
    if (options.stale && entry.state === "fresh" && !hasOutdatedChildren(entry, run, summaries)) continue;
    // Reading files and trees does not wait for anything, so a signal would not be seen before the last directory.
    await nextTurn();
    call.signal.throwIfAborted();
    call.progress.report({ done, total: deepestFirst.length, label: "directories" });
    const plan = await planEntry(entry, run, summaries);
    plans.push(plan);
    if (plan.isLeftOut) run.leftOut.add(entry.scope);
    if (plan.summary !== undefined) summaries.set(entry.scope, plan.summary);
  }
  const isAgents = (options.agents ?? hasAgentsSection(options.root)) && options.dir === undefined;
  const agents = () => planAgents(survey, summaries);
  const root = survey.entries.find(({ scope }) => scope === ".");
  // A new AGENTS.md changes the root's fingerprint, even if the root was not selected.
  if (isAgents && root && !plans.some(({ scope }) => scope === ".") && isChange(agents())) {
    plans.push(await planEntry(root, run, summaries));
  }
  const job = {
    root: options.root,
    plans,
    planAgents: isAgents ? agents : undefined,
    rootFiles: root?.directory.listing?.files ?? [],
    warnings: run.warnings,
    signal: call.signal,
  };
  const isAsked = options.with !== undefined && !options.yes && !options.dryRun;
  return isAsked ? writeIfWanted(job, call) : writePlans({ ...job, dryRun: options.dryRun });
}

/** Nobody has read what a program wrote, so it is shown before it is written. */
async function writeIfWanted(job: Omit<WriteJob, "dryRun">, call: Call): Promise<GenerationReport> {
  const { diff, ...plan } = await writePlans({ ...job, dryRun: true });
  if (diff === "") return writePlans({ ...job, dryRun: false });
  if (call.confirm === undefined) {
    return { ...plan, diff, warnings: [...plan.warnings, "Nothing was written. Add --yes to write this."] };
  }
  const isWanted = await call.confirm(`${diff}\n`, "Write these contexts?");
  return isWanted ? writePlans({ ...job, dryRun: false }) : plan;
}

async function tidySurvey(
  { machine, contexts }: RegenerateDependencies,
  { root, dryRun }: RegenerateOptions,
  signal: AbortSignal,
): Promise<ProjectSurvey> {
  const survey = await contexts.survey(root, signal);
  if (dryRun || !removeLeftovers(survey, machine.now())) return survey;
  return contexts.survey(root, signal);
}

/** Writing a subdirectory as a root would break its context in the larger project. */
function refuseSubdirectory({ root, entries }: ProjectSurvey): void {
  const reading = entries.find(({ scope }) => scope === ".")?.reading;
  const scope = reading?.kind === "read" ? reading.context.scope : ".";
  if (scope === "." || !root.split(sep).join("/").endsWith(`/${scope}`)) return;
  throw new DomainError(
    "conflict",
    `This directory is ${scope} of a larger project. Run this in the project's root, or name it with --path.`,
  );
}

/** The requested scope, "." for everything. */
function targetOf({ entries }: ProjectSurvey, { root, dir }: RegenerateOptions): string {
  if (dir === undefined) return ".";
  const place = locateScope(root, dir);
  const scope = place.kind === "inside" ? place.path : undefined;
  if (scope !== undefined && entries.some((entry) => entry.scope === scope)) return scope;
  throw new DomainError(
    "not_found",
    `No directory for a context: ${dir}. It may be ignored, without source files, or below min_tokens; see contextful directories status.`,
    { details: { param: "dir" } },
  );
}

async function prepare(
  machine: Machine,
  survey: ProjectSurvey,
  {
    root,
    force,
    full,
    named,
    signal,
    ...options
  }: RegenerateOptions & { readonly named: string | undefined; readonly signal: AbortSignal },
): Promise<RegenerateRun & { readonly leftOut: Set<string> }> {
  return {
    ...openSummarizedProject(root),
    survey,
    children: childScopes(survey),
    leftOut: new Set(),
    named,
    isForced: force,
    isFull: full || readSettings(root).mode === "full",
    imports: openImportMap(root),
    nodeManagers: openNodeManagers(root),
    writer: await openWriter(machine, options, signal),
    now: machine.now().toISOString(),
    warnings: [],
  };
}

async function openWriter(
  machine: Machine,
  { llm, with: name }: Pick<RegenerateOptions, "llm" | "with">,
  signal: AbortSignal,
): Promise<SummaryWriter | undefined> {
  if (llm && name !== undefined) throw new DomainError("invalid_input", "Use --llm or --with, not both.");
  if (name !== undefined) return openCommandWriter(machine, name, signal);
  return llm ? openModelWriter(machine, signal) : undefined;
}

const isWithin = (target: string, scope: string) =>
  target === "." || scope === target || scope.startsWith(`${target}/`);

function planAgents({ root, entries }: ProjectSurvey, summaries: SummaryByScope): AgentsPlan {
  const rows = entries.flatMap(({ scope }) => {
    const summary = summaries.get(scope);
    return summary === undefined ? [] : [{ scope, summary }];
  });
  return planAgentsFile(root, rows);
}

const isChange = (agents: AgentsPlan) => agents.refusal === undefined && agents.before !== agents.after;

/** Names of temporary files of atomic writes. */
const UNFINISHED = /^\.(\.context\.yaml|AGENTS\.md|\.contextignore)\.[0-9a-f]{12}\.tmp$/;
/** Younger files may belong to another process that is writing now. */
const ABANDONED_AFTER_MS = 60_000;

/** Removes temporary files of a killed process: they would count in the fingerprint. True if any were removed. */
function removeLeftovers({ root, entries }: ProjectSurvey, now: Date): boolean {
  const found = entries.flatMap(({ scope, directory }) =>
    (directory.listing?.files ?? [])
      .filter(({ name, mtimeMs }) => UNFINISHED.test(name) && mtimeMs < now.getTime() - ABANDONED_AFTER_MS)
      .map(({ name }) => join(root, scope, name)),
  );
  return found.map(isRemoved).includes(true);
}

/** A file that cannot be removed stays and is not an error. */
function isRemoved(file: string): boolean {
  try {
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}
