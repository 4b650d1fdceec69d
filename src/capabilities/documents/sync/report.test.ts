import { expect, test } from "vitest";
import { emptyReport, showReport } from "./report.ts";

test("the report distinguishes failed, skipped and gone items", () => {
  const problems = [
    { kind: "source", source_id: null, reason: "cannot read directory x" },
    { kind: "skipped", source_id: null, reason: "2 entries are not of this site" },
    { kind: "failed", source_id: "a", reason: "answers 500" },
    { kind: "gone", source_id: "b", reason: "answers 404" },
    { kind: "skipped", source_id: "c", reason: "not a readable PDF" },
  ] as const;
  const report = { ...emptyReport("web:site"), failed: 1, skipped: 1, problems: [...problems] };
  expect(
    showReport({ dry_run: false, sources: [report] })
      .split("\n")
      .slice(6),
  ).toEqual([
    "  extraction skipped: 1",
    "  failed: 1",
    "  checkpoint: none",
    "  problem: cannot read directory x",
    "  skipped: 2 entries are not of this site",
    "  failed a: answers 500",
    "  gone b: answers 404",
    "  skipped c: not a readable PDF",
    "ok",
  ]);
});

test("items with the same problem share a line, and a listing of updates says that it is one", () => {
  const problems = [1, 2, 3, 4].map((at) => ({
    kind: "failed" as const,
    source_id: `issues/${at}`,
    reason: "the rate limit is used up",
  }));
  const report = { ...emptyReport("github:pumps"), only_updated: true, failed: 4, problems };
  const shown = showReport({ dry_run: false, sources: [report] }).split("\n");
  expect([shown[1], ...shown.slice(-2)]).toEqual([
    "  fetched: 0 items, only what was updated since the last sync",
    "  failed 4 items: the rate limit is used up (issues/1, issues/2, issues/3, …)",
    "ok",
  ]);
});
