// Speed of the search engine, as ratios within one run:
//   node scripts/run.mjs scripts/bench-search.ts [GO_TREE] [--chunks 50000] [--minilm]
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exhaustiveBm25 } from "../eval/exhaustive-bm25.ts";
import { defaultGoTree, type GoFunction, goFunctions } from "../eval/go-functions.ts";
import { chunkOf, idOf, questionOf } from "../eval/questions.ts";
import { Config } from "../src/core/config/config.ts";
import {
  type IndexedDocument,
  loadStaticModel,
  openEmbeddings,
  openSearchIndex,
  prepareDocuments,
  searchMigrations,
} from "../src/core/search/index.ts";
import { madeCandidate } from "../src/core/search/rank/made-candidates.ts";
import { readQuestion } from "../src/core/search/rank/question.ts";
import { rankCandidates } from "../src/core/search/rank/rank.ts";
import { RANK_WEIGHTS } from "../src/core/search/rank/weights.ts";
import { tablesOf } from "../src/core/search/segments/tables.ts";
import { forEachWord, termsOf } from "../src/core/search/text/terms.ts";
import { plainKernel, wasmKernel } from "../src/core/search/vectors/kernel.ts";
import { sqliteDriver } from "../src/core/store/sqlite-driver.ts";
import { openStore } from "../src/core/store/store.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { chunks: { type: "string", default: "50000" }, minilm: { type: "boolean", default: false } },
});
const tree = positionals[0] ?? defaultGoTree();
if (!tree) throw new Error("No Go tree: give a path, or install golang-1.19-src.");
const functions = goFunctions(tree);
const wanted = Number(values.chunks);
/** Where the tree has fewer functions than asked for, they come again under other paths. */
const chunks = Array.from({ length: wanted }, (_, number) => {
  const target = functions[number % functions.length];
  const round = Math.floor(number / functions.length);
  if (!target) throw new Error("The tree has no functions.");
  return round === 0 ? target : { ...target, path: `copy${round}/${target.path}` };
});
/** What a run puts at once on average: a million lines of Go have 26 segments of 1,700 chunks. */
const BATCH = 1700;
const FILTER_QUERIES = 400;
const FILTER_GOAL = 0.9;
const home = mkdtempSync(join(tmpdir(), "contextful-bench-"));
try {
  await benchTerms();
  const file = await benchWrites();
  await benchSearches(file);
  await benchTermFilter(file);
  benchRanking();
  benchKernel();
  await benchFts5();
  if (values.minilm) await benchMiniLm();
} finally {
  rmSync(home, { recursive: true, force: true });
}

function documents(from: number, to: number): IndexedDocument[] {
  const byPath = new Map<string, GoFunction[]>();
  for (const target of chunks.slice(from, to))
    byPath.set(target.path, [...(byPath.get(target.path) ?? []), target]);
  return [...byPath].map(([path, members]) => ({
    id: `${from}:${path}`,
    path,
    attributes: { path, kind: "function", package: path.split("/").slice(0, -1).join("/") },
    chunks: members.map((member, place) => ({
      ...chunkOf(member),
      id: `${from}:${place}:${idOf(member)}`,
      doc: member.doc,
    })),
  }));
}

async function benchTerms(): Promise<void> {
  const text = chunks
    .slice(0, 10_000)
    .map((target) => target.body)
    .join("\n");
  const seconds = timed(() => {
    const known = new Map<string, string[]>();
    let count = 0;
    forEachWord(text, (word) => {
      const terms = known.get(word) ?? termsOf(word);
      known.set(word, terms);
      count += terms.length;
    });
    return count;
  });
  console.log(`terms: ${(text.length / 1e6 / seconds).toFixed(1)} MB/s of code`);
  const model = await loadStaticModel();
  const row = new Int8Array(model.identity.dims);
  const sample = chunks.slice(0, 20_000).map((target) => chunkOf(target).embedText.slice(0, 2000));
  const before = process.cpuUsage();
  for (const text of sample) model.write(text, row);
  const { user, system } = process.cpuUsage(before);
  const perSecond = Math.round(sample.length / ((user + system) / 1e6));
  console.log(`static embedding: ${perSecond} functions a second of one core (goal: 10,000)`);
}

async function benchWrites(): Promise<string> {
  const file = join(home, "index.sqlite");
  const store = await openStore({ file, migrations: searchMigrations("bench") });
  const model = await loadStaticModel();
  const index = openSearchIndex({ store, name: "bench", embeddings: embeddings() });
  let preparing = 0;
  let inserting = 0;
  for (let from = 0; from < wanted; from += BATCH) {
    const batch = documents(from, from + BATCH);
    const start = performance.now();
    const prepared = prepareDocuments(batch, model);
    const middle = performance.now();
    index.putPrepared(prepared);
    preparing += middle - start;
    inserting += performance.now() - middle;
  }
  console.log(`prepareDocuments: ${rate(wanted, preparing)} chunks/s (a worker's part)`);
  console.log(`putPrepared: ${rate(wanted, inserting)} chunks/s (the main thread's part)`);
  const size = Number(
    Object.values(
      store.prepare("SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size").get() ??
        {},
    )[0],
  );
  console.log(`size: ${(size / 1e6).toFixed(1)} MB, ${JSON.stringify(index.counts())}`);
  store.close();
  return file;
}

async function benchSearches(file: string): Promise<void> {
  const store = await openStore({ file, migrations: searchMigrations("bench"), readOnly: true });
  const shared = embeddings();
  await shared.quick();
  const index = openSearchIndex({ store, name: "bench", embeddings: shared });
  const queries = functions
    .map((target) => questionOf(target)?.query)
    .filter((query) => query !== undefined)
    .slice(0, 1000);
  const opening = performance.now();
  await index.hybrid({ query: "open a file for reading", limit: 10 });
  console.log(`opening, to the first hybrid answer: ${(performance.now() - opening).toFixed(0)} ms`);
  const kinds = [
    ["keyword", {}],
    ["vector", {}],
    ["hybrid", {}],
    ["hybrid", { ranking: {} }],
  ] as const;
  for (const [mode, options] of kinds) {
    const times: number[] = [];
    const work: number[] = [];
    for (const query of queries) {
      // Embeds the query first, which is not what is measured.
      if (mode !== "keyword") await index.vector({ query, limit: 1 });
      const before = process.cpuUsage();
      const start = performance.now();
      await index[mode]({ query, limit: 10, ...options });
      times.push(performance.now() - start);
      const { user, system } = process.cpuUsage(before);
      work.push((user + system) / 1000);
    }
    console.log(
      `${mode}${"ranking" in options ? " with the ranking stage" : ""}: ${spread(times)} over ${queries.length} queries; of the processor: ${spread(work)}`,
    );
  }
  const sample = queries.filter((_, number) => number % 20 === 0);
  const exhaustive = exhaustiveBm25(
    Array.from({ length: Math.ceil(wanted / BATCH) }, (_, batch) =>
      documents(batch * BATCH, (batch + 1) * BATCH),
    ).flat(),
  );
  let shared10 = 0;
  for (const query of sample) {
    const { hits } = await index.keyword({ query, limit: 10 });
    const truth = new Set(exhaustive(query, 10));
    shared10 += hits.filter((hit) => truth.has(hit.chunkId)).length / Math.max(1, hits.length);
  }
  console.log(`keyword top ten shared with exhaustive BM25: ${(shared10 / sample.length).toFixed(3)}`);
  store.close();
}

/** The same questions of the same index without its term filters, in turns: each word is new to both, as it is to a server. */
async function benchTermFilter(file: string): Promise<void> {
  const bare = join(home, "without-filters.sqlite");
  copyFileSync(file, bare);
  const written = await openStore({ file: bare, migrations: searchMigrations("bench") });
  written.prepare(`DELETE FROM ${tablesOf("bench").parts} WHERE name = 'terms'`).run();
  written.close();
  const open = async (from: string) => {
    const store = await openStore({ file: from, migrations: searchMigrations("bench"), readOnly: true });
    return { store, index: openSearchIndex({ store, name: "bench", embeddings: embeddings() }) };
  };
  const [filtered, unfiltered] = [await open(file), await open(bare)];
  const queries = functions.map((target) => questionOf(target)?.query).filter((query) => query !== undefined);
  const work = { filtered: 0, unfiltered: 0 };
  const ask = async ({ index }: typeof filtered, query: string) => {
    const before = process.cpuUsage();
    await index.keyword({ query, limit: 10 });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  for (const [place, query] of queries.slice(-FILTER_QUERIES).entries()) {
    // Who is asked second finds the processor warm.
    const isFirst = place % 2 === 0;
    if (isFirst) work.filtered += await ask(filtered, query);
    work.unfiltered += await ask(unfiltered, query);
    if (!isFirst) work.filtered += await ask(filtered, query);
  }
  filtered.store.close();
  unfiltered.store.close();
  const ratio = work.filtered / work.unfiltered;
  console.log(
    `term filters: ${ratio.toFixed(2)} × the processor time of keyword search without them (goal: at most ${FILTER_GOAL} ×): ${ratio <= FILTER_GOAL ? "pass" : "MISS"}`,
  );
}

/** The ranking stage alone, with paths that no search has found before and with known ones. */
function benchRanking(): void {
  const text = "open a file for reading";
  const question = readQuestion(text);
  const paths = [...new Set(functions.map(({ path }) => path))].slice(0, 400);
  const [fresh, known] = ["fresh", "known"].map((kind) => {
    const times = Array.from({ length: 41 }, (_, round) => {
      const root = kind === "known" ? kind : `${kind}${round}`;
      const candidates = paths.map((path, chunk) =>
        madeCandidate(`${root}/${path}`, { chunk, keywordRank: chunk + 1 }),
      );
      return timed(() => rankCandidates({ text, question, candidates, meaning: 0.4, weights: RANK_WEIGHTS }));
    });
    return (times.sort((a, b) => a - b)[20] ?? 0) * 1000;
  });
  console.log(
    `ranking of ${paths.length} files: ${known?.toFixed(2)} ms, ${fresh?.toFixed(2)} ms if their paths are new`,
  );
}

function benchKernel(): void {
  const rows = 50_000;
  const stride = 384;
  const [fast, slow] = [wasmKernel(), plainKernel()].map((kernel) => {
    kernel.reserve(rows * stride + stride * 2 + rows * 4);
    const bytes = new Int8Array(kernel.buffer(), 0, rows * stride + stride);
    for (let at = 0; at < bytes.length; at++) bytes[at] = ((at * 31) % 255) - 127;
    const times = Array.from({ length: 9 }, () =>
      timed(() => kernel.dot(0, rows * stride, (rows + 2) * stride, rows, stride)),
    );
    return times.sort((a, b) => a - b)[4] ?? 0;
  });
  console.log(
    `vector scan of ${rows}: ${((fast ?? 0) * 1000).toFixed(1)} ms, ${((slow ?? 0) / (fast ?? 1)).toFixed(1)}× faster than plain JavaScript`,
  );
}

/** The same chunks in SQLite's own full-text index, for comparison. */
async function benchFts5(): Promise<void> {
  const driver = sqliteDriver();
  const database = driver.open(join(home, "fts5.sqlite"), { readOnly: false });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec(
    "CREATE VIRTUAL TABLE chunks USING fts5(title, doc, body, path, content='', contentless_delete=1, tokenize='ascii')",
  );
  const termText = (text: string) => {
    const terms: string[] = [];
    forEachWord(text, (word) => void terms.push(...termsOf(word)));
    return terms.join(" ");
  };
  const rows = chunks.map((target) => [target.name, target.doc, target.body, target.path].map(termText));
  const insert = database.prepare("INSERT INTO chunks (title, doc, body, path) VALUES (?, ?, ?, ?)");
  const seconds = timed(() => {
    database.exec("BEGIN");
    for (const row of rows) insert.run(...row);
    database.exec("COMMIT");
  });
  console.log(`FTS5 inserts: ${Math.round(rows.length / seconds)} chunks/s (terms already made)`);
  const find = database.prepare(
    "SELECT rowid, bm25(chunks, 3, 1.5, 1, 0.7) AS score FROM chunks WHERE chunks MATCH ? ORDER BY score LIMIT 10",
  );
  const queries = functions
    .map((target) => questionOf(target)?.query)
    .filter((query) => query !== undefined)
    .slice(0, 200);
  const times = queries.map((query) => {
    const terms = [...new Set(termText(query).split(" "))].filter((term) => term !== "");
    return timed(() => find.all(terms.map((term) => `"${term}"`).join(" OR "))) * 1000;
  });
  console.log(`FTS5, any word, bm25: ${spread(times)}`);
  database.close();
}

async function benchMiniLm(): Promise<void> {
  const better = openEmbeddings(Config.parse({ embedding: { provider: "minilm" } }), {
    home,
    env: {},
    now: () => new Date(),
  });
  const embedder = await better.better();
  if (!embedder) return console.log(`minilm: ${better.problems().join("; ")}`);
  const texts = chunks
    .slice(0, 320)
    .map((target) => chunkOf(target).embedText)
    .sort((a, b) => a.length - b.length);
  const start = performance.now();
  for (let at = 0; at < texts.length; at += embedder.batchSize)
    await embedder.embed(texts.slice(at, at + embedder.batchSize));
  console.log(
    `minilm: ${((texts.length / (performance.now() - start)) * 1000).toFixed(1)} chunks/s on one thread`,
  );
  await better.close();
}

function embeddings() {
  return openEmbeddings(Config.parse({ embedding: { provider: "static" } }), {
    home,
    env: {},
    now: () => new Date(),
  });
}

function timed(run: () => unknown): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}
function rate(count: number, milliseconds: number): number {
  return Math.round((count / milliseconds) * 1000);
}
function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`;
}
