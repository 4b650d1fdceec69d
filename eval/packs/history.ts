// Runs `contextful eval` over several repositories and prints the table of docs/QUALITY.md.
// Usage: npm run eval:history -- DIRECTORY|RESULT.json... [--commits 40] [--budget 4000] [--half tune|check] [--verbose]
// A result is what `contextful eval --json` printed, so that repositories can be measured one by one.
// A commit is of the half "tune" if the first digit of its id is even, else of "check". Weights are chosen on "tune" alone.
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openApp, openMachine } from "../../src/app.ts";
import { bootstrapRatio, meanOf } from "../../src/capabilities/evaluation/measure/bootstrap.ts";
import { type EvalMethod, EvalOutput, METHODS } from "../../src/capabilities/evaluation/schemas.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { silentProgress } from "../../src/core/progress.ts";
import { invoke } from "../../src/core/tool.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: "string", default: "40" },
    budget: { type: "string", default: "4000" },
    half: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
const budget = Number(values.budget);
const halfOf = (commit: string) => (Number.parseInt(commit.slice(0, 1), 16) % 2 === 0 ? "tune" : "check");
const isAsked = ({ commit }: { readonly commit: string }) =>
  values.half === undefined || halfOf(commit) === values.half;
const all = new Map<EvalMethod, number[]>(METHODS.map((method) => [method, []]));

console.log("| repository | commits | git grep | BM25 | search_code | context_pack | / search | / BM25 |");
console.log("|---|---|---|---|---|---|---|---|");
for (const given of positionals) {
  const output = given.endsWith(".json")
    ? EvalOutput.parse(JSON.parse(readFileSync(given, "utf8")))
    : await evaluate(resolve(given));
  for (const method of METHODS) all.get(method)?.push(...recallsOf(output, method));
  const figures = METHODS.map((method) => meanOf(recallsOf(output, method)).toFixed(3));
  const ratios = (["search", "bm25"] as const).map((method) =>
    (meanOf(recallsOf(output, "pack")) / meanOf(recallsOf(output, method))).toFixed(2),
  );
  const count = output.tasks.filter(isAsked).length;
  console.log(`| ${basename(given, ".json")} | ${count} | ${figures.join(" | ")} | ${ratios.join(" | ")} |`);
  if (values.verbose) showTasks(output);
}
const ratioTo = (method: EvalMethod) => {
  const { mean, low, high } = bootstrapRatio(all.get("pack") ?? [], all.get(method) ?? []);
  return `${mean.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
};
const means = METHODS.map((method) => meanOf(all.get(method) ?? []).toFixed(3));
console.log(
  `| all | ${all.get("pack")?.length} | ${means.join(" | ")} | ${ratioTo("search")} | ${ratioTo("bm25")} |`,
);

async function evaluate(root: string): Promise<EvalOutput> {
  const app = openApp(openMachine({ root, logger: silentLogger }));
  const tool = app.tools.find(({ name }) => name === "evaluation_run");
  if (tool === undefined) throw new Error("no tool evaluation_run");
  const output = await invoke(
    tool,
    { commits: Number(values.commits), budget: [values.budget] },
    { signal: new AbortController().signal, progress: silentProgress, actor: "eval", caller: "person" },
  );
  await app.close();
  return EvalOutput.parse(output);
}

function recallsOf({ tasks }: EvalOutput, method: EvalMethod): number[] {
  return tasks
    .filter(isAsked)
    .map(
      ({ answers }) =>
        answers.find((each) => each.method === method)?.at.find((each) => each.budget === budget)?.recall ??
        0,
    );
}

function showTasks({ tasks }: EvalOutput): void {
  for (const { commit, task, functions, answers } of tasks.filter(isAsked)) {
    const recalls = answers.map(
      ({ method, at }) => `${method} ${at[0]?.recall.toFixed(2)} (${at[0]?.tokens})`,
    );
    const given = answers.find(({ method }) => method === "pack")?.given ?? [];
    console.log(`  ${commit.slice(0, 8)} ${task.slice(0, 120)}\n    ${recalls.join(", ")}`);
    console.log(`    needs ${functions.slice(0, 4).join(" ")}\n    given ${given.slice(0, 5).join(" ")}`);
  }
}
