import { spawnSync } from "node:child_process";
import { callGraph } from "../src/capabilities/code-index/navigation/call-graph.ts";
import { findReferences } from "../src/capabilities/code-index/navigation/find-references.ts";
import { findSymbol } from "../src/capabilities/code-index/navigation/find-symbol.ts";
import { navigatorOf } from "../src/capabilities/code-index/navigation/navigator.ts";
import { outlineOf } from "../src/capabilities/code-index/navigation/outline.ts";
import { type CodeStore, openCodeStore } from "../src/capabilities/code-index/store/code-store.ts";
import { currentIndexFile } from "../src/capabilities/code-index/store/generations.ts";
import { projectAt } from "../src/capabilities/code-index/store/project.ts";
import { openEmbeddings } from "../src/core/search/index.ts";
import { testMachine } from "../tests/support/machine.ts";

const ASKED = 200;
const COMPARED = 20;
const ALL = { part: "" } as const;

/** How long definitions, references, calls and outlines take on an index, with `rg -w` beside them. */
export async function reportNavigation(root: string, home: string): Promise<void> {
  const machine = testMachine(root, { home });
  const file = currentIndexFile(projectAt(machine, root)) ?? "";
  const embeddings = openEmbeddings(await machine.config(), machine);
  using code = await openCodeStore(file, embeddings, { readOnly: true });
  reportBytes(code);
  const { names, paths } = sample(code);
  const rows = {
    find_symbol: (at: number) => findSymbol(code, { symbol: names[at] ?? "", ...ALL }),
    "outline of a file": (at: number) => outlineOf(code, paths[at] ?? "", 2_000),
    find_references: (at: number) =>
      findReferences(code, { symbol: names[at] ?? "", ...ALL, kinds: undefined, limit: 40 }),
    "call_graph of depth 2": (at: number) =>
      callGraph(code, { symbol: names[at] ?? "", ...ALL, direction: "callers", depth: 2, budget: 2_000 }),
  };
  for (const [name, run] of Object.entries(rows)) {
    run(0);
    const times = names.map((_, at) => timed(() => code.store.snapshot(() => run(at)))).sort((a, b) => a - b);
    const share = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
    console.log(`${name}: p50 ${share(0.5)} ms, p95 ${share(0.95)} ms, most ${share(0.999)} ms`);
  }
  const theirs = names
    .slice(0, COMPARED)
    .map((name) => timed(() => void spawnSync("rg", ["-n", "-w", name, root], { maxBuffer: 1 << 28 })));
  const median = theirs.toSorted((a, b) => a - b)[Math.floor(theirs.length / 2)] ?? 0;
  console.log(`rg -w NAME: median ${median.toFixed(1)} ms`);
}

function reportBytes({ store }: CodeStore): void {
  const row = store
    .prepare(
      "SELECT (SELECT sum(length(content)) FROM names) AS names, page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
    )
    .get();
  const { names, bytes } = Object(row);
  const rest = Number(bytes) - Number(names);
  console.log(
    `names: ${(Number(names) / 1e6).toFixed(1)} MB, ${((100 * Number(names)) / rest).toFixed(1)} % more index bytes`,
  );
}

/** Different names of declarations and files, spread over the project. */
function sample(code: CodeStore) {
  const { tree } = navigatorOf(code);
  const files = [...tree.files].filter(({ language }) => language !== "");
  const declared = files.flatMap((file) =>
    navigatorOf(code)
      .namesOf(file)
      .declared.map(({ name }) => name),
  );
  const spread = (all: readonly string[]) =>
    Array.from({ length: ASKED }, (_, at) => all[Math.floor((at * all.length) / ASKED)] ?? "");
  return { names: spread([...new Set(declared)]), paths: spread(files.map(({ path }) => path)) };
}

function timed(run: () => void): number {
  const from = performance.now();
  run();
  return performance.now() - from;
}
