import type { RankCandidate } from "./candidate.ts";

/** A candidate for tests; chunks of one path are of one document. */
export function madeCandidate(path: string, given: Partial<RankCandidate> = {}): RankCandidate {
  return {
    chunk: 0,
    document: [...path].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7),
    path,
    kind: "function",
    role: undefined,
    longFunction: "",
    keywordRank: undefined,
    vectorRank: undefined,
    keywordScore: 0,
    defines: [],
    phrase: 0,
    ...given,
  };
}
