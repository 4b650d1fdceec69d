import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../src/core/hash.ts";

const Repositories = z.array(
  z.object({ name: z.string(), lang: z.string(), root: z.string().nullable().default("") }),
);
const Target = z.union([
  z.string().transform((path) => ({ path, lines: undefined })),
  z
    .object({ p: z.string(), s: z.int(), e: z.int() })
    .transform(({ p, s, e }) => ({ path: p, lines: { start: s, end: e } })),
]);
const Annotations = z.array(
  z.object({ q: z.string(), rel: z.array(Target), sec: z.array(Target), cat: z.string() }),
);
const Published = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())));

export type AnswerTarget = z.output<typeof Target>;
/** Figures of other programs: by repository, program, and category or `all`. */
export type PublishedFigures = z.infer<typeof Published>;
export interface BenchmarkQuestion {
  readonly text: string;
  readonly category: string;
  readonly targets: readonly AnswerTarget[];
}
export interface BenchmarkRepository {
  readonly name: string;
  readonly language: string;
  /** The folder that is indexed, below the checkout. */
  readonly root: string;
  /** Weights are chosen on `tune` and judged on `check`. */
  readonly half: "tune" | "check";
  readonly questions: readonly BenchmarkQuestion[];
}
/** One result of a search. */
export interface FoundLines {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const TOP = 10;

export function readBenchmark(directory: string): {
  readonly repositories: readonly BenchmarkRepository[];
  readonly published: PublishedFigures;
} {
  const json = (file: string): unknown => JSON.parse(readFileSync(join(directory, file), "utf8"));
  const repositories = Repositories.parse(json("repos.json")).map(({ name, lang, root }) => ({
    name,
    language: lang,
    root: root ?? "",
    half: halfOf(name),
    questions: Annotations.parse(json(join("annotations", `${name}.json`))).map(({ q, rel, sec, cat }) => ({
      text: q,
      category: cat,
      targets: [...rel, ...sec],
    })),
  }));
  return { repositories, published: Published.parse(json("published.json")) };
}

/** By the hash of the name, so that nobody chose it. */
const halfOf = (name: string): BenchmarkRepository["half"] =>
  Number.parseInt(sha256(name).charAt(1), 16) % 2 === 0 ? "tune" : "check";

/** NDCG@10 as the benchmark computes it: each target counts 1 at its first result, targets of one rank count once. */
export function ndcg(results: readonly FoundLines[], targets: readonly AnswerTarget[]): number {
  const ranks = new Set(
    targets.map((target) => results.slice(0, TOP).findIndex((result) => isFoundBy(target, result))),
  );
  ranks.delete(-1);
  const gained = [...ranks].reduce((sum, rank) => sum + gain(rank), 0);
  const ideal = Array.from({ length: Math.min(TOP, targets.length) }, (_, rank) => gain(rank));
  return gained / ideal.reduce((sum, value) => sum + value, 0);
}

const gain = (rank: number): number => 1 / Math.log2(rank + 2);

/** Either path may be the tail of the other. */
function isFoundBy({ path, lines }: AnswerTarget, result: FoundLines): boolean {
  const isSame = path === result.path || path.endsWith(`/${result.path}`) || result.path.endsWith(`/${path}`);
  return isSame && (lines === undefined || (result.end >= lines.start && result.start <= lines.end));
}
