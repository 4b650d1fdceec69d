import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { languageOf } from "../../../core/parse/source-files.ts";
import { silentProgress } from "../../../core/progress.ts";
import type { Call } from "../../../core/tool.ts";
import { PlainBm25 } from "../baselines/bm25.ts";
import { grepWords } from "../baselines/grep.ts";
import type { EvaluatedProject, NamedLines } from "../evaluation.ts";
import {
  type AnswerPiece,
  type ChangedFunction,
  ndcg,
  pricePieces,
  reciprocalRank,
  scoreOf,
  type TaskTruth,
  withinBudget,
} from "../measure/recall.ts";
import type { ChangedRange, MinedCommit } from "../mine/commits.ts";
import { taskOf } from "../mine/task-text.ts";
import type { EvalMethod, EvaluatedAnswer, EvaluatedTask } from "../schemas.ts";
import { TreeCopy } from "./tree-copy.ts";

interface ReplayParts {
  readonly repository: string;
  readonly tree: string;
  readonly project: EvaluatedProject;
  readonly methods: readonly EvalMethod[];
  /** Ascending. */
  readonly budgets: readonly number[];
  readonly count: (text: string) => number;
}
const MOST_PIECES = 200;
const MOST_GIVEN = 8;

/** Goes through commits, oldest first: the project as it was before each, then every method's answer to its message. */
export class Replay {
  readonly #parts: ReplayParts;
  readonly #copy: TreeCopy;
  readonly #bm25 = new PlainBm25();

  constructor(parts: ReplayParts) {
    this.#parts = parts;
    this.#copy = new TreeCopy(parts.repository, parts.tree);
  }

  /** Makes the copy the project before the commit. `false`, and nothing changes, if git cannot list its files. */
  async moveBefore({ parent }: MinedCommit, signal: AbortSignal): Promise<boolean> {
    const changed = await this.#copy.moveTo(parent, signal);
    if (changed === undefined) return false;
    if (this.#parts.methods.includes("bm25")) await this.#updateBm25(changed);
    return true;
  }

  /** `undefined` if the commit changed no function that its parent had, or says nothing but names. */
  async evaluate(commit: MinedCommit, call: Call): Promise<EvaluatedTask | undefined> {
    const { project, methods } = this.#parts;
    const quiet: Call = { ...call, progress: silentProgress };
    await project.index(quiet);
    const truth = await this.#truthOf(commit);
    if (truth.functions.length === 0) return undefined;
    const names = new Set(truth.functions.map(({ name }) => name));
    const task = taskOf(commit.message, names, truth.files);
    if (task.split(/\s+/).length < 3) return undefined;
    const answers: EvaluatedAnswer[] = [];
    for (const method of methods) answers.push(await this.#answer(method, { task, truth }, quiet));
    return {
      commit: commit.id,
      task,
      functions: truth.functions.map(({ path, name }) => `${path}#${name}`),
      files: [...truth.files],
      answers,
    };
  }

  async #updateBm25(paths: readonly string[]): Promise<void> {
    for (const path of paths.filter((each) => languageOf(each) !== undefined)) {
      const text = await readFile(join(this.#parts.tree, path), "utf8").catch(() => undefined);
      this.#bm25.update(path, text);
    }
  }

  async #truthOf({ files }: MinedCommit): Promise<TaskTruth> {
    const paths = [...files.keys()];
    const symbols = await this.#parts.project.symbols(paths);
    const functions = paths.flatMap((path, at) => changedFunctions(symbols[at] ?? [], files.get(path) ?? []));
    return { functions, files: paths };
  }

  async #answer(
    method: EvalMethod,
    { task, truth }: { task: string; truth: TaskTruth },
    call: Call,
  ): Promise<EvaluatedAnswer> {
    const { budgets, count, tree, project } = this.#parts;
    const started = performance.now();
    if (method === "pack") {
      const packs = [];
      for (const budget of budgets) packs.push({ budget, ...(await project.pack({ task, budget }, call)) });
      const milliseconds = (performance.now() - started) / budgets.length;
      return evaluated(method, truth, packs, milliseconds);
    }
    const pieces =
      method === "grep"
        ? await grepWords(tree, task, call.signal)
        : method === "bm25"
          ? this.#bm25.search(task, MOST_PIECES)
          : await project.search(task, call.signal);
    const milliseconds = performance.now() - started;
    const priced = pricePieces(pieces, count);
    const cut = budgets.map((budget) => ({ budget, ...withinBudget(priced, budget) }));
    return evaluated(method, truth, cut, milliseconds);
  }
}

function evaluated(
  method: EvalMethod,
  truth: TaskTruth,
  cut: readonly {
    readonly budget: number;
    readonly pieces: readonly AnswerPiece[];
    readonly tokens: number;
  }[],
  milliseconds: number,
): EvaluatedAnswer {
  const largest = cut.at(-1)?.pieces ?? [];
  return {
    method,
    at: cut.map(({ budget, pieces, tokens }) => ({ budget, tokens, ...scoreOf(truth, pieces) })),
    reciprocal_rank: reciprocalRank(truth, largest),
    ndcg: ndcg(truth, largest),
    milliseconds: Math.round(milliseconds * 10) / 10,
    given: largest
      .flatMap(({ quotes }) => quotes.slice(0, 1))
      .slice(0, MOST_GIVEN)
      .map(({ path, start, end }) => `${path}:${start}-${end}`),
  };
}

/**
 * The innermost symbols that a change touches, without tests among source, as files of tests are no answer either. Lines
 * added between two symbols touch neither.
 */
function changedFunctions(
  symbols: readonly NamedLines[],
  ranges: readonly ChangedRange[],
): ChangedFunction[] {
  const touched = new Map<NamedLines, ChangedRange[]>();
  for (const range of ranges) {
    const around = symbols.filter(({ start, end }) => start <= range.end && end >= range.start);
    const innermost = around.filter(
      (symbol) => !around.some((inner) => inner !== symbol && isInside(inner, symbol)),
    );
    for (const symbol of innermost) touched.set(symbol, [...(touched.get(symbol) ?? []), range]);
  }
  return [...touched].flatMap(([{ isTest, ...symbol }, changed]) => (isTest ? [] : [{ ...symbol, changed }]));
}

const isInside = (inner: NamedLines, outer: NamedLines): boolean =>
  inner.start >= outer.start &&
  inner.end <= outer.end &&
  (inner.start > outer.start || inner.end < outer.end);
