import { join } from "node:path";
import { DomainError } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { planAgentsFile } from "./agents-file.ts";
import type { Contexts } from "./contexts.ts";
import { fingerprintOf, listDirectory } from "./fingerprint.ts";
import { openImportMap } from "./generate/dependencies.ts";
import { draftContext } from "./generate/draft.ts";
import { type Merged, mergeContext } from "./generate/merge.ts";
import { openWriter } from "./generate/model-writer.ts";
import { readSources } from "./generate/sources.ts";
import { removeLeftovers } from "./leftovers.ts";
import { readBounded } from "./read-context.ts";
import { depthOf, parentOf } from "./scan-directories.ts";
import { CONTEXT_FILE } from "./schema.ts";
import { locate } from "./scope.ts";
import { readSettings } from "./settings.ts";
import type { Entry, Survey } from "./survey.ts";
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
  const chosen = chooseEntries(survey, options);
  const run = await prepare(machine, survey, options, call);
  const plans: Plan[] = [];
  const summaries = summariesOf(survey);
  const deepestFirst = [...chosen].sort((a, b) => depthOf(b.scope) - depthOf(a.scope));
  for (const [done, entry] of deepestFirst.entries()) {
    call.signal.throwIfAborted();
    call.progress.report({ done, total: deepestFirst.length, label: "directories" });
    const plan = await planEntry(entry, run, summaries);
    plans.push(plan);
    if (plan.summary !== undefined) summaries.set(entry.scope, plan.summary);
  }
  const agents = options.agents && options.dir === undefined ? planAgents(survey, summaries) : undefined;
  const root = survey.entries.find(({ scope }) => scope === ".");
  // A new AGENTS.md changes the root's fingerprint, also where the root itself was not chosen.
  if (root && agents && agents.before !== agents.after && !chosen.includes(root)) {
    plans.push(await planEntry(root, run, summaries));
  }
  return carryOut({
    root: options.root,
    plans,
    agents,
    dryRun: options.dryRun,
    warnings: run.warnings,
    // AGENTS.md counts in the root's fingerprint, so the root is printed after it was written.
    printRoot: (merge) => merge(fingerprintOf(listDirectory(options.root)?.files ?? [])),
    progress: call.progress,
  });
}

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
    children: childScopes(survey),
    now: machine.now().toISOString(),
  };
}

function chooseEntries({ entries }: Survey, { root, dir, stale }: RegenerateOptions): readonly Entry[] {
  const wanted = stale ? entries.filter(({ state }) => state !== "fresh") : entries;
  if (dir === undefined) return wanted;
  const place = locate(root, dir);
  const scope = place.kind === "inside" ? place.path : undefined;
  if (scope === undefined || !entries.some((entry) => entry.scope === scope)) {
    throw new DomainError(
      "not_found",
      `No directory for a context: ${dir}. It may be ignored, without source files, or below min_tokens; see contextful directories status.`,
      { details: { param: "dir" } },
    );
  }
  return wanted.filter(
    (entry) => scope === "." || entry.scope === scope || entry.scope.startsWith(`${scope}/`),
  );
}

const summariesOf = ({ entries }: Survey): Map<string, string> =>
  new Map(
    entries.flatMap(({ scope, reading }) =>
      reading.kind === "read" ? [[scope, reading.context.summary] as const] : [],
    ),
  );

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
    children: childrenOf(scope, run, summaries),
    ...(scope === "." && { project: projectOf(run.survey, summaries) }),
  });
  const written = await run.writer?.write({ scope, sources, draft });
  if (written?.warning) run.warnings.push(written.warning);
  const merge = (fingerprint: string): Merged =>
    mergeContext({
      scope,
      fingerprint,
      now: run.now,
      draft,
      ...(written && { written: written.fields }),
      ...(existing && { existing }),
    });
  const merged = merge(entry.computed);
  return {
    scope,
    file,
    merged,
    merge,
    summary: merged.context.summary,
    ...(typeof before === "string" && { before }),
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

const childrenOf = (scope: string, run: Run, summaries: ReadonlyMap<string, string>) =>
  (run.children.get(scope) ?? []).map((child) => ({
    name: child.slice(child.lastIndexOf("/") + 1),
    summary: summaries.get(child) ?? "",
  }));

function childScopes({ entries }: Survey): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { scope } of entries) {
    if (scope === ".") continue;
    const siblings = children.get(parentOf(scope));
    if (siblings) siblings.push(scope);
    else children.set(parentOf(scope), [scope]);
  }
  return children;
}

/** The whole project as the root sees it: its sources, and the first two levels of directories. */
const projectOf = ({ entries }: Survey, summaries: ReadonlyMap<string, string>) => ({
  sources: entries.flatMap(({ directory }) => directory.sources),
  structure: entries
    .filter(({ scope }) => scope !== "." && depthOf(scope) <= 2)
    .map(({ scope }) => ({ path: scope, summary: summaries.get(scope) ?? "" })),
});
