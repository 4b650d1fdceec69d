// The tasks on which an early version served badly: is the function to edit in the pack, whole, at 4,000 tokens?
// Usage: npm run eval:trial -- DIRECTORY [--budget 4000], where DIRECTORY has clones of the repositories.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openApp, openMachine } from "../../src/app.ts";
import { PackOutput } from "../../src/capabilities/packs/tools.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { silentProgress } from "../../src/core/progress.ts";
import { type Call, invoke } from "../../src/core/tool.ts";

const TASKS = [
  { repository: "flask", task: "add a --json flag to flask routes command", edit: "routes_command" },
  { repository: "flask", task: "abort should accept a JSON body", edit: "abort" },
  { repository: "express", task: "res.redirect should reject javascript: URLs", edit: "redirect" },
  { repository: "zod", task: "z.email() accepts an address with two dots, fix the regex", edit: "email" },
  { repository: "hugo", task: "add a --minify-html flag to the build command", edit: "applyLocalFlagsBuild" },
  { repository: "axum", task: "Path extractor: say which parameter could not be parsed", edit: "Path" },
] as const;
/** Words that no code has, and words that some code has. */
const NONSENSE = [
  "qqq zzz nonsense blorp",
  "purple elephant juggling quantum bananas underwater",
  "a hundred violins melt slowly in the desert of forgotten teapots",
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { budget: { type: "string", default: "4000" } },
});
const directory = resolve(positionals[0] ?? ".");
const call: Call = {
  signal: new AbortController().signal,
  progress: silentProgress,
  actor: "eval",
  caller: "person",
};

console.log("| repository | task | to edit | place | size | tokens |");
console.log("|---|---|---|--:|---|--:|");
for (const repository of new Set(TASKS.map((each) => each.repository))) {
  const root = join(directory, repository);
  if (!existsSync(root)) continue;
  const app = openApp(openMachine({ root, logger: silentLogger }));
  const use = (name: string, input: unknown) => {
    const tool = app.tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return invoke(tool, input, call);
  };
  await use("index_codebase", { path: root });
  for (const { task, edit } of [
    ...TASKS.filter((each) => each.repository === repository),
    ...NONSENSE.map((task) => ({ task, edit: "nothing" })),
  ]) {
    const pack = PackOutput.parse(await use("context_pack", { task, budget: Number(values.budget) }));
    const place = pack.items.findIndex(({ title, kind }) => kind === "code" && title === edit);
    const given = place === -1 ? "absent" : `${pack.items[place]?.size} \`${pack.items[place]?.path}\``;
    const size = edit === "nothing" ? `${pack.items.length} items` : given;
    console.log(`| ${repository} | ${task} | \`${edit}\` | ${place + 1 || "–"} | ${size} | ${pack.tokens} |`);
  }
  await app.close();
}
