import { unifiedDiff } from "../../core/diff/unified.ts";
import { errnoOf } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files/atomic-write.ts";
import type { Progress } from "../../core/progress.ts";
import type { AgentsPlan } from "./agents-file.ts";
import type { Merged } from "./generate/merge.ts";
import type { GenerationReport } from "./reports.ts";
import { AGENTS_FILE, CONTEXT_FILE } from "./schema.ts";

export type Plan =
  | { readonly scope: string; readonly file: string; readonly refusal: string; readonly summary?: undefined }
  | {
      readonly scope: string;
      readonly file: string;
      readonly before?: string;
      readonly merged: Merged;
      /** Prints it again with another fingerprint. */
      merge(fingerprint: string): Merged;
      readonly summary: string;
      readonly refusal?: undefined;
    };
export type Report = GenerationReport;

export interface Work {
  readonly root: string;
  readonly plans: readonly Plan[];
  readonly agents: AgentsPlan | undefined;
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  printRoot(merge: (fingerprint: string) => Merged): Merged;
  readonly progress: Progress;
}

/** Writes wait for the disk, not for the processor. */
const AT_ONCE = 16;

/** Writes what changed, AGENTS.md before the root's context, and tells what became of each. */
export async function carryOut(work: Work): Promise<Report> {
  const { plans, agents, dryRun } = work;
  const report = emptyReport(work);
  if (dryRun) {
    report.diff = plans.map(diffOf).join("") + agentsDiff(agents);
    for (const plan of plans) note(report, plan, plan.refusal === undefined ? plan.merged : undefined);
    return finished(report);
  }
  if (agents && agents.before !== agents.after) await writeFileAtomic(agents.file, agents.after);
  const queue = plans.toReversed();
  const take = async () => {
    for (let plan = queue.pop(); plan !== undefined; plan = queue.pop()) await write(plan, work, report);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return finished(report);
}

async function write(plan: Plan, work: Work, report: Report): Promise<void> {
  if (plan.refusal !== undefined) return note(report, plan, undefined);
  const merged = plan.scope === "." && work.agents ? work.printRoot(plan.merge) : plan.merged;
  try {
    if (merged.text !== plan.before) await writeFileAtomic(plan.file, merged.text);
    note(report, plan, merged);
  } catch (thrown) {
    const code = errnoOf(thrown);
    // A full disk ends the work; a directory that may not be written to does not.
    if (code === undefined || code === "ENOSPC") throw thrown;
    report.skipped.push({ scope: plan.scope, reason: `cannot be written (${code})` });
  }
}

function note(report: Report, plan: Plan, merged: Merged | undefined): void {
  if (plan.refusal !== undefined || merged === undefined) {
    report.skipped.push({ scope: plan.scope, reason: plan.refusal ?? "" });
    return;
  }
  if (plan.before === undefined) report.created.push(plan.scope);
  else if (merged.text === plan.before) report.unchanged += 1;
  else report.updated.push(plan.scope);
  if (plan.before !== undefined && merged.kept.length > 0) {
    report.kept.push({ scope: plan.scope, fields: [...merged.kept] });
  }
}

function emptyReport({ root, agents, dryRun, warnings }: Work): Report {
  const state = agents === undefined ? "skipped" : agents.before === agents.after ? "unchanged" : "written";
  return {
    root,
    dry_run: dryRun,
    created: [],
    updated: [],
    unchanged: 0,
    kept: [],
    skipped: [],
    agents_md: dryRun && state === "written" ? "would be written" : state,
    warnings: [...warnings],
  };
}

function finished(report: Report): Report {
  const byScope = (a: { scope: string }, b: { scope: string }) => (a.scope < b.scope ? -1 : 1);
  report.created.sort();
  report.updated.sort();
  report.kept.sort(byScope);
  report.skipped.sort(byScope);
  return report;
}

function diffOf(plan: Plan): string {
  if (plan.refusal !== undefined) return "";
  const path = plan.scope === "." ? CONTEXT_FILE : `${plan.scope}/${CONTEXT_FILE}`;
  return fileDiff(path, plan.before, plan.merged.text);
}

const agentsDiff = (agents: AgentsPlan | undefined) =>
  agents ? fileDiff(AGENTS_FILE, agents.before, agents.after) : "";

const fileDiff = (path: string, before: string | undefined, after: string) =>
  unifiedDiff(
    { label: before === undefined ? "/dev/null" : `a/${path}`, text: before ?? "" },
    { label: `b/${path}`, text: after },
  );
