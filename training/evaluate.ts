import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { PAIR_KINDS } from "./mine-package.ts";
import { unpackTable } from "./table.ts";

/** One question of a held-out package and how well a table answered it. */
export interface AnsweredQuestion {
  readonly number: string;
  readonly language: string;
  readonly kind: string;
  readonly package: string;
  /** 1 / rank among the first ten, else 0. */
  readonly score: number;
}

export interface TableRun {
  readonly trainer: string;
  /** Pairs of held-out packages. */
  readonly dev: string;
  readonly languages: readonly string[];
  readonly dims: number;
  /** For a file that is needed only for the run. */
  scratch(name: string): string;
}

const ROUNDS = 1_000;

/** Asks a packed table every question of the held-out packages. */
export function askTable(file: string, run: TableRun): AnsweredQuestion[] {
  const { rows, values } = unpackTable(readFileSync(file), run.dims);
  const init = run.scratch("asked.f32");
  const ranks = run.scratch("asked.tsv");
  writeFileSync(init, new Uint8Array(values.buffer));
  const settings = {
    epochs: 0,
    train: run.dev,
    dev: run.dev,
    init,
    rows,
    dims: run.dims,
    languages: run.languages.join(","),
    ranks,
  };
  execFileSync(
    run.trainer,
    Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  );
  return readRanks(readFileSync(ranks, "utf8"));
}

const readRanks = (text: string): AnsweredQuestion[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [number = "", language = "", kind = "", from = "", score = ""] = line.split("\t");
      return {
        number,
        language,
        kind: PAIR_KINDS[Number(kind)] ?? kind,
        package: from,
        score: Number(score),
      };
    });

/** MRR@10 of two tables by language and by kind of question, with the difference and its interval of 95 %. */
export function comparisonTable(
  before: readonly AnsweredQuestion[],
  after: readonly AnsweredQuestion[],
): string {
  const old = new Map(before.map(({ number, score }) => [number, score]));
  const pairs = after.map((answer) => ({ ...answer, before: old.get(answer.number) ?? 0 }));
  const groups = new Map<string, typeof pairs>();
  for (const pair of pairs) {
    const code = pair.kind === "section" ? [] : [`all code, ${pair.kind}`];
    for (const name of [`${pair.language}, ${pair.kind}`, ...code])
      groups.set(name, [...(groups.get(name) ?? []), pair]);
  }
  const lines = [...groups]
    .filter(([, group]) => group.length >= 100)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]) => {
      const mean = (of: (pair: (typeof pairs)[number]) => number) =>
        group.reduce((sum, pair) => sum + of(pair), 0) / group.length;
      const [low, high] = interval(
        group.map((pair) => ({ key: pair.package, value: pair.score - pair.before })),
      );
      const packages = new Set(group.map((pair) => pair.package)).size;
      const figures = [mean((pair) => pair.before), mean((pair) => pair.score), low, high].map((figure) =>
        figure.toFixed(3),
      );
      return `| ${[name, packages, group.length, ...figures].join(" | ")} |`;
    });
  const head = "| questions | packages | number | before | after | difference from | to |";
  return [head, "|---|--:|--:|--:|--:|--:|--:|", ...lines].join("\n");
}

/** Questions of one package are alike, so whole packages are drawn. */
export function interval(
  values: readonly { readonly key: string; readonly value: number }[],
): [number, number] {
  const groups = new Map<string, { sum: number; count: number }>();
  for (const { key, value } of values) {
    const { sum, count } = groups.get(key) ?? { sum: 0, count: 0 };
    groups.set(key, { sum: sum + value, count: count + 1 });
  }
  const drawnFrom = [...groups.values()];
  let state = 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const means = Array.from({ length: ROUNDS }, () => {
    const drawn = drawnFrom.map(() => drawnFrom[next(drawnFrom.length)] ?? { sum: 0, count: 0 });
    return (
      drawn.reduce((total, { sum }) => total + sum, 0) / drawn.reduce((total, { count }) => total + count, 0)
    );
  }).sort((a, b) => a - b);
  return [means[Math.floor(ROUNDS * 0.025)] ?? 0, means[Math.floor(ROUNDS * 0.975)] ?? 0];
}
