import type { RankWeights } from "../../src/core/search/rank/weights.ts";

/** One way of searching that is measured. */
export interface SearchConfiguration {
  readonly name: string;
  readonly mode: "hybrid" | "keyword" | "vector";
  readonly weights?: Partial<RankWeights>;
}

/** Weights with which a step does nothing. */
const WITHOUT: Readonly<Record<string, Partial<RankWeights>>> = {
  saturation: { saturation: 1 },
  "file coherence": { coherence: 0 },
  "path words": { pathWords: 0, pathCover: 0, pathWordsOfName: 0 },
  definitions: {
    definition: 0,
    mentionedIdentifier: 0,
    mentionedCapital: 0,
    mentionedWord: 0,
  },
  "keyword score": { keywordScore: 0 },
  phrases: { phrase: 0 },
  tests: { test: 1 },
  "files that are no source": { notSource: 1 },
  depth: { depth: 1 },
  "modules by name": { module: 0 },
  "version twins": { olderVersion: 1 },
  "C headers": { header: 1 },
};

export const MODES: readonly SearchConfiguration[] = [
  { name: "hybrid", mode: "hybrid" },
  { name: "keyword", mode: "keyword" },
  { name: "vector", mode: "vector" },
];

export const ABLATIONS: readonly SearchConfiguration[] = [
  ...Object.entries(WITHOUT).map(([step, weights]) => ({
    name: `without ${step}`,
    mode: "hybrid" as const,
    weights,
  })),
  { name: "lists alone", mode: "hybrid", weights: Object.assign({}, ...Object.values(WITHOUT)) },
];

/** `name=value,…` of the command line. */
export function readWeights(text: string): Partial<RankWeights> {
  return Object.fromEntries(text.split(",").map((pair) => [pair.split("=")[0], Number(pair.split("=")[1])]));
}
