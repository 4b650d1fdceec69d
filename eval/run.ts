// How well the product finds. Without arguments: the questions of a Go tree. With a benchmark: a public set of questions.
//   npm run eval -- [GO_TREE] [--half tuning|untouched] [--functions N] [--no-minilm]
//   npm run eval -- --memory | --documents | --history | --packages | --removed DIR
//   npm run eval -- --benchmark DIR --repositories DIR [--only a,b] [--ablation] [--minilm] [--messages] [--weights name=value,…] [--reindex] [--cache DIR]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { evaluateRemovedFiles } from "./documents/removed-files.ts";
import { evaluateDocuments } from "./documents/run.ts";
import { evaluateGoTree } from "./go-tree.ts";
import { evaluateMemory } from "./memory/run.ts";
import { evaluateRepositories } from "./repositories/run.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: "string", default: "untouched" },
    functions: { type: "string", default: "4000" },
    "no-minilm": { type: "boolean", default: false },
    minilm: { type: "boolean", default: false },
    memory: { type: "boolean", default: false },
    documents: { type: "boolean", default: false },
    history: { type: "boolean", default: false },
    packages: { type: "boolean", default: false },
    removed: { type: "string" },
    benchmark: { type: "string" },
    repositories: { type: "string" },
    only: { type: "string" },
    ablation: { type: "boolean", default: false },
    messages: { type: "boolean", default: false },
    weights: { type: "string" },
    reindex: { type: "boolean", default: false },
    cache: { type: "string", default: join("node_modules", ".cache", "contextful-eval", "repositories") },
  },
});

if (values.memory) {
  await evaluateMemory();
} else if (values.documents || values.history || values.packages) {
  await evaluateDocuments(values.documents ? "documents" : values.history ? "history" : "packages");
} else if (values.removed !== undefined) {
  await evaluateRemovedFiles(values.removed);
} else if (values.benchmark !== undefined && values.repositories !== undefined) {
  const { benchmark, repositories, cache, reindex, ablation, weights, minilm, messages, only } = values;
  const names = only?.split(",") ?? [];
  await evaluateRepositories({
    benchmark,
    repositories,
    cache,
    reindex,
    ablation,
    weights,
    minilm,
    messages,
    only: names,
  });
} else {
  await evaluateGoTree({
    tree: positionals[0],
    half: values.half,
    functions: Number(values.functions),
    minilm: !values["no-minilm"],
  });
}
