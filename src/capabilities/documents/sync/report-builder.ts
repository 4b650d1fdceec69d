import { byCodeUnit } from "../../../core/order.ts";
import type { Problem, SourceReport } from "./report.ts";

type CountedOutcome = "found" | "written" | "unchanged" | "removed" | "skipped" | "failed";

/** Collects counts and problems of a run for its report. */
export class SourceReportBuilder {
  readonly #counts: Record<CountedOutcome, number> = {
    found: 0,
    written: 0,
    unchanged: 0,
    removed: 0,
    skipped: 0,
    failed: 0,
  };
  readonly #problems: Problem[] = [];
  #hasFailed = false;
  /** The source lists only what was updated since the last complete run. */
  listsOnlyUpdated = false;

  count(what: "found" | "written" | "unchanged" | "removed", many = 1): void {
    this.#counts[what] += many;
  }

  /** The item cannot become a document. */
  addSkipped(sourceId: string, reason: string): void {
    this.#counts.skipped += 1;
    this.#problems.push({ kind: "skipped", source_id: sourceId, reason });
  }

  /** The source named it, but it is not part of the source. */
  addLeftOut(reason: string): void {
    this.#problems.push({ kind: "skipped", source_id: null, reason });
  }

  /** Its document was removed; people should know why. */
  addGone(sourceId: string, reason: string): void {
    this.#problems.push({ kind: "gone", source_id: sourceId, reason });
  }

  /** It could not be read or stored this time. */
  addFailed(sourceId: string, reason: string): void {
    this.#counts.failed += 1;
    this.#problems.push({ kind: "failed", source_id: sourceId, reason });
  }

  /** It was counted as written, but could not be stored. */
  addLost(sourceId: string, reason: string): void {
    this.#counts.written -= 1;
    this.addFailed(sourceId, reason);
  }

  /** It is stored, but its end is not searched. */
  addCut(sourceId: string, searched: number): void {
    const reason = `stored, but only its first ${searched} characters are searched`;
    this.#problems.push({ kind: "skipped", source_id: sourceId, reason });
  }

  /** A part of the source could not be read. */
  addSourceProblem(reason: string): void {
    this.#problems.push({ kind: "source", source_id: null, reason });
  }

  /** The whole run failed. */
  failRun(reason: string): void {
    this.#hasFailed = true;
    this.addSourceProblem(reason);
  }

  get status(): SourceReport["status"] {
    if (this.#hasFailed) return "failed";
    return this.error === null ? "ok" : "partial";
  }

  /** The first reason why the run is incomplete; problems of the source come before those of items. */
  get error(): string | null {
    const first = (wanted: Problem["kind"]) => this.#problems.find(({ kind }) => kind === wanted);
    const problem = first("source") ?? first("failed");
    if (problem === undefined) return null;
    return problem.source_id === null ? problem.reason : `${problem.source_id}: ${problem.reason}`;
  }

  build(): Pick<SourceReport, CountedOutcome | "status" | "problems" | "only_updated"> {
    const problems = this.#problems.toSorted((a, b) => byCodeUnit(a.source_id ?? "", b.source_id ?? ""));
    return { status: this.status, only_updated: this.listsOnlyUpdated, ...this.#counts, problems };
  }
}
