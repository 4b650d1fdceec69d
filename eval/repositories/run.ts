import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { openMachine } from "../../src/app.ts";
import { type CodeIndex, openCodeIndex } from "../../src/capabilities/code-index/index.ts";
import { Config } from "../../src/core/config/config.ts";
import { DomainError } from "../../src/core/errors.ts";
import { silentProgress } from "../../src/core/progress.ts";
import { invoke } from "../../src/core/tool.ts";
import { type BenchmarkRepository, ndcg, readBenchmark } from "./benchmark.ts";
import { ABLATIONS, MODES, readWeights, type SearchConfiguration } from "./configurations.ts";
import { messageQuestions } from "./messages.ts";
import { type QuestionFigures, tableOfAblations, tableOfDifferences, tableOfGroups } from "./report.ts";

export interface RepositoriesRun {
  /** Directory with repos.json, annotations/ and published.json. */
  readonly benchmark: string;
  /** Directory of checkouts: NAME/ROOT, or NAME if it holds only that root. */
  readonly repositories: string;
  /** Indexes are kept here from one run to the next. */
  readonly cache: string;
  readonly reindex: boolean;
  readonly ablation: boolean;
  /** `name=value,…`: weights of the ranking stage to try. */
  readonly weights: string | undefined;
  /** Asks also with the better model, and prints the difference by language. */
  readonly minilm: boolean;
  /** Asks for messages of the source instead of the benchmark's questions. */
  readonly messages: boolean;
  /** Names of repositories; empty for all. */
  readonly only: readonly string[];
}

/** NDCG@10 of the product on a public benchmark of questions about repositories. */
export async function evaluateRepositories(run: RepositoriesRun): Promise<void> {
  const { repositories, published } = readBenchmark(run.benchmark);
  const tried = run.weights === undefined ? undefined : readWeights(run.weights);
  const configurations = [...MODES, ...(run.ablation ? ABLATIONS : [])].map((configuration) => ({
    ...configuration,
    ...(tried && { weights: { ...tried, ...configuration.weights } }),
  }));
  const questions: QuestionFigures[] = [];
  for (const repository of repositories) {
    if (run.only.length > 0 && !run.only.includes(repository.name)) continue;
    process.stderr.write(`${repository.name} `);
    const root = rootOf(repository, run);
    const asked = run.messages ? { ...repository, questions: await messageQuestions(root) } : repository;
    questions.push(...(await askAll(asked, configurations, { root, run })));
  }
  process.stderr.write("\n");
  console.log(
    tableOfGroups(
      questions,
      MODES.map(({ name }) => name),
      run.messages ? {} : published,
    ),
  );
  if (run.minilm) console.log(`\n${tableOfDifferences(questions, MINILM)}`);
  if (!run.ablation) return;
  console.log(
    `\n${tableOfAblations(
      questions,
      ABLATIONS.map(({ name }) => name),
    )}`,
  );
}

function rootOf({ name, root }: BenchmarkRepository, { repositories }: RepositoriesRun): string {
  const checkout = resolve(repositories, name);
  const inside = join(checkout, root);
  return existsSync(inside) ? inside : checkout;
}

async function askAll(
  repository: BenchmarkRepository,
  configurations: readonly SearchConfiguration[],
  { root, run }: { readonly root: string; readonly run: RepositoriesRun },
): Promise<QuestionFigures[]> {
  const quick = await askRepository(root, repository, { run, configurations, provider: "static" });
  const better = run.minilm
    ? await askRepository(root, repository, { run, configurations: [MINILM_HYBRID], provider: "minilm" })
    : [];
  return repository.questions.map(({ category }, at) => ({
    repository,
    category,
    figures: new Map([...(quick[at] ?? []), ...(better[at] ?? [])]),
  }));
}

const MINILM = "hybrid, MiniLM";
const MINILM_HYBRID: SearchConfiguration = { name: MINILM, mode: "hybrid" };

interface RepositoryQuestions {
  readonly run: RepositoriesRun;
  readonly configurations: readonly SearchConfiguration[];
  readonly provider: "static" | "minilm";
}

/** The figures of each question, by configuration. */
async function askRepository(
  root: string,
  repository: BenchmarkRepository,
  { run, configurations, provider }: RepositoryQuestions,
): Promise<Map<string, number>[]> {
  const env = { ...process.env, CONTEXTFUL_HOME: resolve(run.cache) };
  const room = openCodeIndex({
    ...openMachine({ root, env }),
    config: async () => Config.parse({ embedding: { provider } }),
  });
  try {
    // The index of the quick model is used again: the better one only adds its vectors.
    const isIndexed = await prepareIndex(room, root, run.reindex && provider === "static");
    if (isIndexed && provider === "minilm")
      await callTool(room, "index_codebase", { path: root, wait: true });
    const answered: Map<string, number>[] = [];
    for (const { text, targets } of repository.questions) {
      const figures = new Map<string, number>();
      for (const { name, mode, weights } of configurations) {
        const results = isIndexed ? await search(room, root, { text, mode, weights }) : [];
        figures.set(name, ndcg(results, targets));
      }
      answered.push(figures);
    }
    return answered;
  } finally {
    await room.close();
  }
}

/** False if the product refuses the directory: its questions then count 0. */
async function prepareIndex(room: CodeIndex, root: string, isForced: boolean): Promise<boolean> {
  const status = await callTool(room, "get_status", { path: root });
  const { indexed } = z.object({ indexed: z.boolean() }).parse(status);
  if (indexed && !isForced) return true;
  try {
    await callTool(room, "index_codebase", { path: root, force_reindex: isForced });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    process.stderr.write(`(${thrown.message}) `);
    return false;
  }
}

async function callTool(room: CodeIndex, name: string, input: Readonly<Record<string, unknown>>) {
  const tool = room.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const { signal } = new AbortController();
  return invoke(tool, input, { signal, progress: silentProgress, actor: "eval", caller: "person" });
}

async function search(
  room: CodeIndex,
  root: string,
  {
    text,
    mode,
    weights,
  }: { text: string; mode: SearchConfiguration["mode"]; weights: SearchConfiguration["weights"] | undefined },
) {
  const asked = { query: text, limit: 10, mode, ...(weights && { weights }) };
  const { hits } = await room.searchCode(root, asked, new AbortController().signal);
  return hits.map(({ file }) => ({ path: file.path, start: file.start_line, end: file.end_line }));
}
