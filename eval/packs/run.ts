// How much of what a task needs is in a pack, compared with plain search in each room for the same number of tokens.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { loadTokenizer } from "../../src/core/tokens/tokenizer.ts";
import { type EvalProject, openEvalProject } from "./project.ts";

const Tasks = z.array(z.object({ task: z.string(), must: z.array(z.string()) }));
const BUDGETS = [2000, 4000, 8000];

/** The weights were chosen on the first set. The second was written from the project alone; nothing is tuned on it. */
const SETS = ["tasks", "held-out"];

const count = await loadTokenizer();
await using project = await openEvalProject("eval/packs/fixtures/parcel");
const isVerbose = process.argv.includes("--verbose");

for (const set of SETS) {
  const tasks = Tasks.parse(JSON.parse(readFileSync(`eval/packs/${set}.json`, "utf8")));
  console.log(`${set}: ${tasks.length} tasks, ${tasks.flatMap(({ must }) => must).length} things they need`);
  console.log("budget  pack   search  ratio");
  for (const budget of BUDGETS) {
    const packs = await recall(tasks, (task) => packText(project, task, budget), `pack ${budget}`);
    const searches = await recall(tasks, (task) => searchText(project, task, budget), "");
    console.log(
      `${String(budget).padEnd(8)}${packs.toFixed(3)}  ${searches.toFixed(3)}   ${(packs / searches).toFixed(2)}`,
    );
  }
}

async function recall(
  tasks: z.output<typeof Tasks>,
  answer: (task: string) => Promise<string>,
  label: string,
): Promise<number> {
  let found = 0;
  for (const { task, must } of tasks) {
    const text = await answer(task);
    const missing = must.filter((needle) => !text.includes(needle));
    found += (must.length - missing.length) / must.length;
    if (isVerbose && label !== "" && missing.length > 0)
      console.log(`  ${label}: ${task}: missing ${missing.join(" | ")}`);
  }
  return found / tasks.length;
}

async function packText({ call }: EvalProject, task: string, budget: number): Promise<string> {
  const pack = z
    .object({ markdown: z.string(), tokens: z.number() })
    .parse(await call("context_pack", { task, budget }));
  if (pack.tokens > budget) throw new Error(`${pack.tokens} tokens for a budget of ${budget}`);
  return pack.markdown;
}

/** What an agent gets if it searches each room once and reads the results in turn from the top. */
async function searchText({ call, root }: EvalProject, task: string, budget: number): Promise<string> {
  const code = z
    .object({ results: z.array(z.object({ content: z.string() })) })
    .parse(await call("search_code", { path: root, query: task, limit: 20 }))
    .results.map(({ content }) => content);
  const found = z
    .object({ results: z.array(z.object({ id: z.string() })) })
    .parse(await call("context.search", { query: task, mode: "hybrid", limit: 12 }));
  const documents: string[] = [];
  for (const { id } of found.results)
    documents.push(z.object({ body: z.string() }).parse(await call("context.get", { id })).body);
  const memory = z
    .array(z.object({ text: z.string() }))
    .parse(await call("context_search", { query: task }))
    .map(({ text }) => text);
  const lists = [code, documents, memory];
  let text = "";
  for (let rank = 0; rank < Math.max(...lists.map(({ length }) => length)); rank++) {
    for (const list of lists) {
      const next = list[rank];
      if (next !== undefined && count(`${text}\n${next}`) <= budget) text = `${text}\n${next}`;
    }
  }
  return text;
}
