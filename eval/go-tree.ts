import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Config } from "../src/core/config/config.ts";
import {
  openEmbeddings,
  openSearchIndex,
  type SearchIndex,
  searchMigrations,
} from "../src/core/search/index.ts";
import { forEachWord, termsOf } from "../src/core/search/text/terms.ts";
import { openStore, sqliteDriver } from "../src/core/store/store.ts";
import { defaultGoTree, type GoFunction, goFunctions } from "./go-functions.ts";
import { type Metrics, metricsOf } from "./metrics.ts";
import { choose, documentsOf, idOf, type Question, questionOf } from "./questions.ts";

const Rows = z.array(z.object({ id: z.string() }));
export interface GoTreeRun {
  readonly tree: string | undefined;
  readonly half: string;
  readonly functions: number;
  readonly minilm: boolean;
}

/** How well each kind of search answers the first sentences of doc comments. */
export async function evaluateGoTree(run: GoTreeRun): Promise<void> {
  const tree = run.tree ?? defaultGoTree();
  if (!tree) throw new Error("No Go tree: give a path, or install golang-1.19-src.");
  const all = goFunctions(tree);
  const functions = choose(all, run.functions, idOf);
  const questions = functions
    .map(questionOf)
    .filter((question): question is Question => question?.half === run.half);
  console.log(
    `${tree}: ${all.length} functions, ${functions.length} indexed, ${questions.length} questions (${run.half} half)`,
  );

  const home = mkdtempSync(join(tmpdir(), "contextful-eval-"));
  // Vectors of the slow model are kept between runs: they depend on nothing that is tuned here.
  const cache = join("node_modules", ".cache", "contextful-eval");
  mkdirSync(cache, { recursive: true });
  try {
    const row = (name: string, { mrr, hit1, hit5, hit10 }: Metrics) =>
      console.log(`| ${name} | ${[mrr, hit1, hit5, hit10].map((value) => value.toFixed(3)).join(" | ")} |`);
    console.log("| | MRR@10 | hit@1 | hit@5 | hit@10 |\n|---|---|---|---|---|");
    const quick = await indexed("static", functions, { home, cache });
    row("BM25 of FTS5, as it comes", await measure(questions, await fts5(functions, "plain", home)));
    row("BM25 of FTS5, our terms", await measure(questions, await fts5(functions, "terms", home)));
    row("keyword", await measure(questions, (query) => quick.index.keyword({ query, limit: 10 })));
    row("static", await measure(questions, (query) => quick.index.vector({ query, limit: 10 })));
    row("hybrid, static", await measure(questions, (query) => quick.index.hybrid({ query, limit: 10 })));
    const names = functions
      .filter((target) => /[A-Za-z]/.test(target.name))
      .map((target) => ({
        query: target.name,
        answer: target.name,
        half: "tuning" as const,
      }));
    const byName = (search: SearchIndex["keyword"]) => async (query: string) => {
      const { hits } = await search({ query, limit: 10 });
      return { hits: hits.map((hit) => ({ chunkId: hit.chunkId.split(".").at(-1) ?? "" })) };
    };
    row("names, keyword", await measure(names.slice(0, 500), byName(quick.index.keyword)));
    row("names, hybrid", await measure(names.slice(0, 500), byName(quick.index.hybrid)));
    if (run.minilm) {
      const better = await indexed("minilm", functions, { home, cache });
      row("minilm", await measure(questions, (query) => better.index.vector({ query, limit: 10 })));
      row("hybrid, minilm", await measure(questions, (query) => better.index.hybrid({ query, limit: 10 })));
      await better.close();
    }
    await quick.close();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function indexed(
  provider: "static" | "minilm",
  targets: readonly GoFunction[],
  { home, cache }: { readonly home: string; readonly cache: string },
) {
  const store = await openStore({
    file: join(home, `${provider}.sqlite`),
    migrations: searchMigrations("eval"),
  });
  const embeddings = openEmbeddings(Config.parse({ embedding: { provider } }), {
    home: cache,
    env: process.env,
    now: () => new Date(),
  });
  const index = openSearchIndex({ store, name: "eval", embeddings });
  await index.put(documentsOf(targets));
  const from = performance.now();
  const report = ({ done, total }: { done: number; total?: number }) =>
    process.stderr.write(`\r${done}/${total} in ${Math.round((performance.now() - from) / 1000)} s `);
  if (provider === "minilm") {
    await index.upgrade({ signal: new AbortController().signal, progress: { report, note: () => {} } });
    process.stderr.write("\n");
  }
  return {
    index,
    async close() {
      await embeddings.close();
      store.close();
    },
  };
}

/** The baselines: every function in an FTS5 table, any word, its own bm25; over the text as it is, or over our terms. */
async function fts5(targets: readonly GoFunction[], cut: "plain" | "terms", home: string) {
  const database = (await sqliteDriver()).open(join(home, `fts5-${cut}.sqlite`), { readOnly: false });
  database.exec("CREATE VIRTUAL TABLE functions USING fts5(id UNINDEXED, body)");
  const insert = database.prepare("INSERT INTO functions VALUES (?, ?)");
  database.exec("BEGIN");
  for (const target of targets) {
    insert.run(idOf(target), wordsOf(`${target.path}\n${target.name}\n${target.body}`, cut).join(" "));
  }
  database.exec("COMMIT");
  const find = database.prepare(
    "SELECT id FROM functions WHERE functions MATCH ? ORDER BY bm25(functions) LIMIT 10",
  );
  return async (query: string) => {
    const rows = find.all([...new Set(wordsOf(query, cut))].map((word) => `"${word}"`).join(" OR "));
    return { hits: Rows.parse(rows).map(({ id }) => ({ chunkId: id })) };
  };
}

function wordsOf(text: string, cut: "plain" | "terms"): string[] {
  const words: string[] = [];
  forEachWord(text, (word) => void words.push(...(cut === "plain" ? [word] : termsOf(word))));
  return words;
}

async function measure(
  asked: readonly Question[],
  search: (query: string) => Promise<{ readonly hits: readonly { readonly chunkId: string }[] }>,
): Promise<Metrics> {
  const ranks: number[] = [];
  for (const { query, answer } of asked) {
    const { hits } = await search(query);
    ranks.push(hits.findIndex((hit) => hit.chunkId === answer) + 1);
  }
  return metricsOf(ranks);
}
