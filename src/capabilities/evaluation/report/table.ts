import type { EvalOutput } from "../schemas.ts";

const NAMES = { grep: "git grep", bm25: "BM25", search: "search_code", pack: "context_pack" } as const;

export const methodName = (method: keyof typeof NAMES): string => NAMES[method];

/** The figures as a table for a terminal. */
export function showEvaluation({
  head,
  tasks,
  methods,
  pack_compared,
  left_out = [],
  baseline,
  below,
  html,
}: EvalOutput): string {
  const budgets = methods[0]?.budgets.map(({ budget }) => budget) ?? [];
  const rows = methods.map(({ method, budgets: at, mrr, ndcg, milliseconds }) => [
    methodName(method),
    ...at.map(
      ({ recall, files }) =>
        `${figure(recall.mean)} (${figure(recall.low)}–${figure(recall.high)}) ${figure(files)}`,
    ),
    figure(mrr),
    figure(ndcg),
    `${milliseconds} ms`,
  ]);
  const heads = ["", ...budgets.map((budget) => `recall@${budget} (95 %) files`), "MRR", "NDCG", "time"];
  return [
    `${tasks.length} commits before ${head.slice(0, 12)}, recall of the functions they changed`,
    "",
    ...aligned([heads, ...rows]),
    "",
    ...pack_compared.map((comparison) => comparisonLine(comparison, methods)),
    ...(baseline ?? []).map(
      ({ method, budget, tasks: count, difference, verdict }) =>
        `${methodName(method)} at ${budget}: ${signed(difference.mean)} since the baseline on ${count} commits (${signed(difference.low)} to ${signed(difference.high)}): ${verdict}`,
    ),
    ...left_out.map(
      ({ reason, commits }) => `${commits} ${commits === 1 ? "commit" : "commits"} left out: ${reason}`,
    ),
    ...below.map((demand) => `Too low: ${demand}`),
    ...(html === undefined ? [] : [`Report: ${html}`]),
  ].join("\n");
}

function comparisonLine(
  { method, budget, ratio }: EvalOutput["pack_compared"][number],
  methods: EvalOutput["methods"],
): string {
  const own = methods.find((each) => each.method === method);
  const recall = own?.budgets.find((each) => each.budget === budget)?.recall.mean ?? 0;
  if (recall === 0) return `${methodName(method)} finds none of the functions at ${budget} tokens`;
  return `context_pack has ${ratio.mean.toFixed(2)} × the recall of ${methodName(method)} at ${budget} tokens (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})`;
}

const figure = (value: number): string => value.toFixed(3).replace(/^0/, "");
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
