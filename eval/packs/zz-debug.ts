import { readFileSync } from "node:fs";
import { openEvalProject } from "./project.ts";

const tasks = JSON.parse(readFileSync("eval/packs/tasks.json", "utf8"));
await using project = await openEvalProject("eval/packs/fixtures/parcel");
const budgets = (process.argv[2] ?? "4000").split(",").map(Number);
for (const budget of budgets) {
  let sum = 0;
  const times: number[] = [];
  for (const { task, must } of tasks) {
    const t = performance.now();
    const pack: any = await project.call("context_pack", { task, budget });
    times.push(performance.now() - t);
    const missing = must.filter((n: string) => !pack.markdown.includes(n));
    sum += 1 - missing.length / must.length;
    if (missing.length === 0 && !process.argv.includes("-a")) continue;
    const all: any = await project.call("context_pack", { task, budget: 200000 });
    console.log(
      `\n${budget} ${task} tokens ${pack.tokens} items ${pack.items.length} all ${all.tokens}/${all.items.length}`,
    );
    for (const n of missing) {
      const rank = all.items.toSorted((a: any, b: any) => b.score - a.score);
      const at = rank.findIndex((i: any) => i.text.includes(n));
      const it = rank[at];
      const same = it && pack.items.find((i: any) => i.id === it.id);
      console.log(
        `  - ${n}: ${it ? `${it.kind} ${it.title} score ${it.score.toFixed(2)} given as ${same?.size}` : "NOT THERE"}`,
      );
    }
    if (process.argv.includes("-v"))
      for (const i of pack.items)
        console.log(
          `      ${i.score.toFixed(2)} ${i.kind} ${i.size} ${i.title} ${i.path}:${i.start}-${i.end} ${i.why}`,
        );
  }
  console.log(
    `recall ${budget}: ${(sum / tasks.length).toFixed(3)} median ms ${times.sort((a, b) => a - b)[10]?.toFixed(0)}`,
  );
}
