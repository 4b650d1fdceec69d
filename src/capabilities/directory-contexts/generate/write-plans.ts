import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { unifiedDiff } from "../../../core/diff/unified.ts";
import { errnoOf } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { type FileStat, fingerprintOf } from "../freshness/fingerprint.ts";
import { parseContext, readBounded } from "../read/read-context.ts";
import type { GenerationReport } from "../reports.ts";
import { AGENTS_FILE, CONTEXT_FILE } from "../schema.ts";
import type { AgentsPlan } from "./agents-file.ts";
import type { ExistingContext, MergedContext } from "./merge.ts";
import type { ContextPlan } from "./plan-context.ts";

type WritingPlan = Extract<ContextPlan, { summary: string }>;

export interface WriteJob {
  readonly root: string;
  readonly plans: readonly ContextPlan[];
  /** Called again before writing, because a person may have edited the file. */
  readonly planAgents: (() => AgentsPlan) | undefined;
  /** The root's own files at the time they were described. */
  readonly rootFiles: readonly FileStat[];
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  readonly signal: AbortSignal;
}

/** Concurrent writes: they wait for the disk, not the processor. */
const AT_ONCE = 16;

/** Writes what changed, AGENTS.md before the root's context, and reports each result. */
export async function writePlans(work: WriteJob): Promise<GenerationReport> {
  const report = emptyReport({ root: work.root, dry_run: work.dryRun, warnings: [...work.warnings] });
  const agents = work.planAgents?.();
  if (agents?.refusal !== undefined) report.warnings.push(`${AGENTS_FILE} is left alone: ${agents.refusal}.`);
  if (work.dryRun) {
    dryRun(work.plans, agents, report);
    return sortReport(report);
  }
  work.signal.throwIfAborted();
  const writtenAgents = await writeAgents(agents, report);
  const queue = work.plans.toReversed();
  const take = async () => {
    for (let plan = queue.pop(); plan !== undefined; plan = queue.pop()) {
      work.signal.throwIfAborted();
      // AGENTS.md counts in the root's fingerprint.
      const isMoved = plan.scope === "." && writtenAgents !== undefined;
      await write(plan, report, isMoved ? fingerprintAfter(writtenAgents, work) : undefined);
    }
  };
  const takers = Array.from({ length: AT_ONCE }, () =>
    take().catch((thrown: unknown) => {
      queue.length = 0;
      throw thrown;
    }),
  );
  // Waits for all first, so that no write is running when the error is thrown.
  await Promise.allSettled(takers);
  await Promise.all(takers);
  return sortReport(report);
}

function dryRun(
  plans: readonly ContextPlan[],
  agents: AgentsPlan | undefined,
  report: GenerationReport,
): void {
  report.diff = "";
  for (const plan of plans) {
    if (plan.isLeftOut) {
      report.left_out.push(plan.scope);
      continue;
    }
    if (plan.refusal !== undefined) {
      report.skipped.push({ scope: plan.scope, reason: plan.refusal });
      continue;
    }
    const path = plan.scope === "." ? CONTEXT_FILE : `${plan.scope}/${CONTEXT_FILE}`;
    report.diff += fileDiff(path, plan.before, plan.merged.text);
    recordResult(report, plan, plan.merged);
  }
  if (agents?.refusal !== undefined || agents === undefined) return;
  report.diff += fileDiff(AGENTS_FILE, agents.before, agents.after);
  report.agents_md = agents.before === agents.after ? "unchanged" : "would be written";
}

/** The file that was written, if any. */
async function writeAgents(
  agents: AgentsPlan | undefined,
  report: GenerationReport,
): Promise<string | undefined> {
  if (agents === undefined || agents.refusal !== undefined) return undefined;
  if (agents.before === agents.after) {
    report.agents_md = "unchanged";
    return undefined;
  }
  const isWritten = await attempt(report, AGENTS_FILE, () => writeFileAtomic(agents.file, agents.after));
  if (!isWritten) return undefined;
  report.agents_md = "written";
  return agents.file;
}

/** Only the written file is read again: other files may have changed since they were described. */
function fingerprintAfter(written: string, { root, rootFiles }: WriteJob): string {
  const name = basename(written);
  const stat = dirname(written) === root ? lstatSync(written, { throwIfNoEntry: false }) : undefined;
  if (stat === undefined) return fingerprintOf(rootFiles);
  const others = rootFiles.filter((file) => file.name !== name);
  return fingerprintOf([...others, { name, mtimeMs: stat.mtimeMs, size: stat.size }]);
}

async function write(plan: ContextPlan, report: GenerationReport, fingerprint?: string): Promise<void> {
  if (plan.isLeftOut) {
    report.left_out.push(plan.scope);
    return;
  }
  if (plan.refusal !== undefined) {
    report.skipped.push({ scope: plan.scope, reason: plan.refusal });
    return;
  }
  const present = readPresent(plan);
  if (present === undefined) {
    report.skipped.push({ scope: plan.scope, reason: "it was changed meanwhile; run this again" });
    return;
  }
  const isAsPlanned = present.existing === plan.existing && fingerprint === undefined;
  const merged = isAsPlanned ? plan.merged : plan.merge(present.existing, fingerprint);
  const isWritten =
    merged.text === present.text ||
    (await attempt(report, plan.scope, () => writeFileAtomic(plan.file, merged.text)));
  if (isWritten) recordResult(report, { scope: plan.scope, before: present.text }, merged);
}

/** The file as it is now. Edits made since the plan are merged; if that is not possible, the file is left alone. */
function readPresent({
  file,
  before,
  existing,
}: WritingPlan): { text?: string; existing?: ExistingContext } | undefined {
  const read = readBounded(file);
  const text = typeof read === "string" ? read : undefined;
  if (text === before) return { ...(text !== undefined && { text }), ...(existing && { existing }) };
  const reading = text === undefined ? undefined : parseContext(text);
  if (text === undefined || reading?.kind !== "read") return undefined;
  return { text, existing: { text, context: reading.context } };
}

/** A full disk ends the run; a file that cannot be written does not. */
async function attempt(
  report: GenerationReport,
  scope: string,
  writing: () => Promise<void>,
): Promise<boolean> {
  try {
    await writing();
    return true;
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined || code === "ENOSPC") throw thrown;
    report.failed.push({ scope, reason: `cannot be written (${code})` });
    return false;
  }
}

const fileDiff = (path: string, before: string | undefined, after: string) =>
  unifiedDiff(
    { label: before === undefined ? "/dev/null" : `a/${path}`, text: before ?? "" },
    { label: `b/${path}`, text: after },
  );

const emptyReport = (run: Pick<GenerationReport, "root" | "dry_run" | "warnings">): GenerationReport => ({
  ...run,
  created: [],
  updated: [],
  unchanged: 0,
  kept: [],
  left_out: [],
  skipped: [],
  failed: [],
  agents_md: "skipped",
});

/** Records the result for one context; `before` is its old text. */
function recordResult(
  report: GenerationReport,
  { scope, before }: { scope: string; before?: string | undefined },
  merged: MergedContext,
): void {
  if (before === undefined) report.created.push(scope);
  else if (merged.text === before) report.unchanged += 1;
  else report.updated.push(scope);
  if (before !== undefined && merged.kept.length > 0) {
    report.kept.push({ scope, fields: [...merged.kept] });
  }
}

/** Sorts the report, because writes finish in any order. */
function sortReport(report: GenerationReport): GenerationReport {
  const byScope = (a: { scope: string }, b: { scope: string }) => byCodeUnit(a.scope, b.scope);
  report.created.sort(byCodeUnit);
  report.updated.sort(byCodeUnit);
  report.left_out.sort(byCodeUnit);
  report.kept.sort(byScope);
  report.skipped.sort(byScope);
  report.failed.sort(byScope);
  return report;
}
