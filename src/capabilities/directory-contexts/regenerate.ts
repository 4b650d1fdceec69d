import { join, sep } from "node:path";
import { DomainError } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { type AgentsPlan, planAgentsFile } from "./agents-file.ts";
import type { Contexts } from "./contexts.ts";
import { openImportMap } from "./generate/dependencies.ts";
import { draftContext } from "./generate/draft.ts";
import { type Existing, type Merged, mergeContext } from "./generate/merge.ts";
import { openWriter } from "./generate/model-writer.ts";
import { openNodeManagers } from "./generate/node-manager.ts";
import { readSources } from "./generate/sources.ts";
import { removeLeftovers } from "./leftovers.ts";
import { readBounded } from "./read-context.ts";
import { depthOf } from "./scan-directories.ts";
import { CONTEXT_FILE } from "./schema.ts";
import { locate } from "./scope.ts";
import { readSettings } from "./settings.ts";
import type { Entry, Survey } from "./survey.ts";
import { childrenOf, childScopes, hasOutdatedChildren, projectOf, summariesOf } from "./tree-summaries.ts";
import { carryOut, type Plan, type Report } from "./write-plans.ts";

export interface RegenerateOptions {
  readonly root: string;
  /** One directory and what is below it. */
  readonly dir?: string | undefined;
  readonly stale: boolean;
  readonly full: boolean;
  readonly llm: boolean;
  readonly agents: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** Writes contexts from the files they describe, deepest first, keeping what people wrote; then AGENTS.md. */
export async function regenerate(
  machine: Machine,
  contexts: Contexts,
  options: RegenerateOptions,
  call: Call,
): Promise<Report> {
  const survey = await tidySurvey(machine, contexts, options, call);
  refuseSubdirectory(survey);
  const target = targetOf(survey, options);
  const run = await prepare(machine, survey, options, call);
  const plans: Plan[] = [];
  const summaries = summariesOf(survey);
  const deepestFirst = survey.entries
    .filter(({ scope }) => isWithin(target, scope))
    .sort((a, b) => depthOf(b.scope) - depthOf(a.scope));
  for (const [done, entry] of deepestFirst.entries()) {
    if (options.stale && entry.state === "fresh" && !hasOutdatedChildren(entry, run, summaries)) continue;
    call.signal.throwIfAborted();
    call.progress.report({ done, total: deepestFirst.length, label: "directories" });
    const plan = await planEntry(entry, run, summaries);
    plans.push(plan);
    if (plan.summary !== undefined) summaries.set(entry.scope, plan.summary);
  }
  const isAgents = options.agents && options.dir === undefined;
  const agents = () => planAgents(survey, summaries);
  const root = survey.entries.find(({ scope }) => scope === ".");
  // A new AGENTS.md changes the root's fingerprint, also where the root itself was not chosen.
  if (isAgents && root && !plans.some(({ scope }) => scope === ".") && isChange(agents())) {
    plans.push(await planEntry(root, run, summaries));
  }
  return carryOut({
    root: options.root,
    plans,
    planAgents: isAgents ? agents : undefined,
    rootFiles: root?.directory.listing?.files ?? [],
    dryRun: options.dryRun,
    warnings: run.warnings,
  });
}

const isChange = (agents: AgentsPlan) => agents.refusal === undefined && agents.before !== agents.after;

async function tidySurvey(
  machine: Machine,
  contexts: Contexts,
  { root, dryRun }: RegenerateOptions,
  call: Call,
): Promise<Survey> {
  const survey = await contexts.survey(root, call.signal);
  if (dryRun || !removeLeftovers(survey, machine.now())) return survey;
  return contexts.survey(root, call.signal);
}

function planAgents({ root, entries }: Survey, summaries: ReadonlyMap<string, string>) {
  const rows = entries.flatMap(({ scope }) => {
    const summary = summaries.get(scope);
    return summary === undefined ? [] : [{ scope, summary }];
  });
  return planAgentsFile(root, rows);
}

type Run = Awaited<ReturnType<typeof prepare>>;

async function prepare(machine: Machine, survey: Survey, options: RegenerateOptions, call: Call) {
  const warnings: string[] = [];
  const writer = options.llm ? await openWriter(machine, call.signal) : undefined;
  const settings = readSettings(options.root);
  return {
    options,
    survey,
    warnings,
    writer,
    isFull: options.full || settings.mode === "full",
    imports: openImportMap(options.root),
    nodeManagers: openNodeManagers(options.root),
    children: childScopes(survey),
    now: machine.now().toISOString(),
  };
}

/** Written as a root, a directory's context would lose its place in the project it belongs to. */
function refuseSubdirectory({ root, entries }: Survey): void {
  const reading = entries.find(({ scope }) => scope === ".")?.reading;
  const scope = reading?.kind === "read" ? reading.context.scope : ".";
  if (scope === "." || !root.split(sep).join("/").endsWith(`/${scope}`)) return;
  throw new DomainError(
    "conflict",
    `This directory is ${scope} of a larger project. Run this in the project's root, or name it with --path.`,
  );
}

/** The scope that was asked for, "." for everything. */
function targetOf({ entries }: Survey, { root, dir }: RegenerateOptions): string {
  if (dir === undefined) return ".";
  const place = locate(root, dir);
  const scope = place.kind === "inside" ? place.path : undefined;
  if (scope !== undefined && entries.some((entry) => entry.scope === scope)) return scope;
  throw new DomainError(
    "not_found",
    `No directory for a context: ${dir}. It may be ignored, without source files, or below min_tokens; see contextful directories status.`,
    { details: { param: "dir" } },
  );
}

const isWithin = (target: string, scope: string) =>
  target === "." || scope === target || scope.startsWith(`${target}/`);

async function planEntry(entry: Entry, run: Run, summaries: ReadonlyMap<string, string>): Promise<Plan> {
  const { scope, reading } = entry;
  const file = join(run.options.root, scope, CONTEXT_FILE);
  const refusal = refusalOf(entry, run.options.force);
  if (refusal !== undefined) return { scope, file, refusal };
  const before = reading.kind === "missing" ? undefined : readBounded(file);
  const existing =
    reading.kind === "read" && typeof before === "string"
      ? { text: before, context: reading.context }
      : undefined;
  const sources = await readSources(run.options.root, entry.directory);
  const wasFull = existing?.context.derived_fields?.some((name) => name === "files" || name === "interfaces");
  const draft = draftContext({
    root: run.options.root,
    directory: entry.directory,
    sources,
    mode: run.isFull || wasFull ? "full" : "lean",
    imports: run.imports,
    nodeManagers: run.nodeManagers,
    children: childrenOf(scope, run, summaries),
    ...(scope === "." && { project: projectOf(run.survey, summaries) }),
  });
  const written = await run.writer?.write({ scope, sources, draft });
  if (written?.warning) run.warnings.push(written.warning);
  const mergeInto = (present: Existing | undefined, fingerprint: string): Merged =>
    mergeContext({
      scope,
      fingerprint,
      now: run.now,
      draft,
      ...(written && { written: written.fields }),
      ...(present && { existing: present }),
    });
  const merged = mergeInto(existing, entry.computed);
  return {
    scope,
    file,
    merged,
    merge: (present, fingerprint) =>
      present === existing && fingerprint === undefined
        ? merged
        : mergeInto(present, fingerprint ?? entry.computed),
    summary: merged.context.summary,
    ...(typeof before === "string" && { before }),
    ...(existing && { existing }),
  };
}

/** Why a file may not be touched: a newer version never; one we cannot read only when told to. */
function refusalOf({ reading, directory }: Entry, force: boolean): string | undefined {
  if (directory.listing === undefined) return "the directory cannot be read";
  if (directory.listing.context?.isSymbolicLink()) return "its context is a link";
  if (reading.kind === "unsupported") return `it has the newer schema version ${reading.version}`;
  if (reading.kind === "corrupt" && !force) return "it is invalid; correct it, or use --force to replace it";
  return undefined;
}
