import { meanOf } from "../measure/bootstrap.ts";
import type { EvalOutput, EvaluatedTask } from "../schemas.ts";
import { methodName } from "./table.ts";

const COLOURS = { grep: "#9aa0a6", bm25: "#c77d0a", search: "#1a73e8", pack: "#188038" } as const;
const [WIDTH, HEIGHT, MARGIN] = [560, 300, 44];
const MOST_TASKS = 15;

/** A page without scripts and without other files: plots of recall, misses by directory, and the worst tasks. */
export function htmlReport(output: EvalOutput): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>contextful eval</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#202124}
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #dadce0}
td:first-child,th:first-child{text-align:left}code{font-size:13px}.wide{overflow-x:auto}.wide td,.wide th{white-space:nowrap;padding:.2rem .4rem}small{color:#5f6368}.task{margin:1rem 0;padding:.6rem 1rem;border-left:3px solid #dadce0}
.bar{background:#1a73e8;height:.7rem;display:inline-block}</style></head><body>
<h1>How well this repository is served</h1>
<p>${output.tasks.length} commits before <code>${escapeHtml(output.head.slice(0, 12))}</code>. A commit's message is the task; the functions it
changed, as they were before it, are the answer.</p>
<h2>Recall over budget</h2>${plot(output)}${table(output)}
<h2>Misses by directory</h2>${misses(output)}
<h2>Worst tasks of the pack</h2>${worst(output)}
</body></html>
`;
}

function plot({ methods }: EvalOutput): string {
  const budgets = methods[0]?.budgets.map(({ budget }) => budget) ?? [];
  const most = Math.max(1, ...budgets);
  const x = (budget: number) => MARGIN + ((WIDTH - 2 * MARGIN) * budget) / most;
  const y = (recall: number) => HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * recall;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${y(value)}" y2="${y(value)}" stroke="#e8eaed"/><text x="4" y="${y(value) + 4}" font-size="11">${value}</text>`,
  );
  const ticks = budgets.map(
    (budget) =>
      `<text x="${x(budget)}" y="${HEIGHT - 22}" font-size="11" text-anchor="middle">${budget}</text>`,
  );
  const lines = methods.map(({ method, budgets: at }) => {
    const points = at.map(({ budget, recall }) => `${x(budget)},${y(recall.mean)}`);
    const bars = at.map(
      ({ budget, recall }) =>
        `<line x1="${x(budget)}" x2="${x(budget)}" y1="${y(recall.low)}" y2="${y(recall.high)}" stroke="${COLOURS[method]}" opacity=".5"/><circle cx="${x(budget)}" cy="${y(recall.mean)}" r="3" fill="${COLOURS[method]}"/>`,
    );
    return `<polyline fill="none" stroke="${COLOURS[method]}" stroke-width="2" points="${points.join(" ")}"/>${bars.join("")}`;
  });
  const legend = methods.map(
    ({ method }, at) =>
      `<text x="${MARGIN + at * 110}" y="${HEIGHT - 4}" font-size="12" fill="${COLOURS[method]}">${methodName(method)}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" role="img" aria-label="Recall over budget">${[...grid, ...ticks, ...lines, ...legend].join("")}</svg>`;
}

function table({ methods }: EvalOutput): string {
  const heads =
    methods[0]?.budgets.map(({ budget }) => `<th>recall@${budget}</th><th>files</th><th>/ 1,000</th>`) ?? [];
  const rows = methods.map(({ method, budgets, mrr, ndcg, milliseconds }) => {
    const cells = budgets.map(
      ({ recall, files, recall_per_1000 }) =>
        `<td>${recall.mean.toFixed(3)} <small>${recall.low.toFixed(2)}–${recall.high.toFixed(2)}</small></td><td>${files.toFixed(3)}</td><td>${recall_per_1000.toFixed(3)}</td>`,
    );
    return `<tr><td>${methodName(method)}</td>${cells.join("")}<td>${mrr.toFixed(3)}</td><td>${ndcg.toFixed(3)}</td><td>${milliseconds} ms</td></tr>`;
  });
  return `<div class="wide"><table><tr><th></th>${heads.join("")}<th>MRR</th><th>NDCG</th><th>time</th></tr>${rows.join("")}</table></div><p>In grey: intervals of 95 %. "/ 1,000" is recall per 1,000 tokens.</p>`;
}

/** The mean recall of the pack at the largest budget, by the directory of what was changed. */
function misses({ tasks }: EvalOutput): string {
  const directories = new Map<string, number[]>();
  for (const task of tasks)
    for (const directory of new Set(task.files.map((file) => file.split("/").slice(0, -1).join("/") || ".")))
      directories.set(directory, [...(directories.get(directory) ?? []), 1 - recallOf(task)]);
  const rows = [...directories]
    .map(([directory, missed]) => ({ directory, count: missed.length, missed: meanOf(missed) }))
    .sort((a, b) => b.missed * b.count - a.missed * a.count)
    .slice(0, MOST_TASKS)
    .map(
      ({ directory, count, missed }) =>
        `<tr><td><code>${escapeHtml(directory)}</code></td><td>${count}</td><td>${(missed * 100).toFixed(0)} %</td><td style="text-align:left"><span class="bar" style="width:${Math.round(missed * 160)}px"></span></td></tr>`,
    );
  return `<table><tr><th>directory</th><th>commits</th><th>missed</th><th></th></tr>${rows.join("")}</table>`;
}

function worst({ tasks }: EvalOutput): string {
  return tasks
    .map((task) => ({ task, recall: recallOf(task) }))
    .filter(({ recall }) => recall < 1)
    .sort((a, b) => a.recall - b.recall)
    .slice(0, MOST_TASKS)
    .map(({ task, recall }) => {
      const given = packOf(task)?.given ?? [];
      return `<div class="task"><p><code>${task.commit.slice(0, 10)}</code> ${escapeHtml(task.task)}</p>
<p>Recall ${recall.toFixed(2)}. Needed: ${list(task.functions)}</p><p>Given: ${list(given)}</p></div>`;
    })
    .join("\n");
}

const packOf = ({ answers }: EvaluatedTask) =>
  answers.find(({ method }) => method === "pack") ?? answers.at(-1);
const recallOf = (task: EvaluatedTask): number => packOf(task)?.at.at(-1)?.recall ?? 0;
const list = (names: readonly string[]): string =>
  names.map((name) => `<code>${escapeHtml(name)}</code>`).join(", ") || "nothing";

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
