import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseInstant } from "../timestamps.ts";
import { firstOf, merge, normalise } from "./merge.ts";

interface HybridCase {
  name: string;
  alpha: number;
  mode: "keyword" | "semantic" | "hybrid";
  limit: number;
  source: string | null;
  since: string | null;
  keyword: { chunk: string; doc: string; raw: number }[];
  vector: { chunk: string; doc: string; raw: number }[];
  docs: Record<string, { source: string; updated_at: string }>;
  expected: {
    id: string;
    score: number;
    keyword_score: number;
    semantic_score: number;
    best_chunk: string;
  }[];
}
const golden = (name: string) => JSON.parse(readFileSync(`tests/contracts/golden/documents/${name}`, "utf8"));
const cases: HybridCase[] = golden("hybrid.json").cases;

describe("merging two rankings", () => {
  // We filter before candidates are cut, so cases with filters do not test merging.
  test.each(cases.filter(({ source, since }) => source === null && since === null))("$name", (given) => {
    const candidate = ({ chunk, doc, raw }: HybridCase["keyword"][number]) => ({
      chunkId: chunk,
      documentId: doc,
      raw,
    });
    const alpha = { keyword: 0, semantic: 1, hybrid: given.alpha }[given.mode];
    const keyword = given.mode === "semantic" ? [] : given.keyword.map(candidate);
    const vector = given.mode === "keyword" ? [] : given.vector.map(candidate);
    const updatedAt = (id: string) => parseInstant(given.docs[id]?.updated_at ?? "") ?? 0;
    const ranked = firstOf(merge(keyword, vector, alpha), given.limit, updatedAt);
    expect(ranked.map(({ documentId, score, chunkId }) => ({ documentId, score, chunkId }))).toEqual(
      given.expected.map(({ id, score, best_chunk }) => ({
        documentId: id,
        score: expect.closeTo(score, 9),
        chunkId: best_chunk,
      })),
    );
  });
});

test("scores are scaled to 0 to 1, and equal scores are all 1", () => {
  expect([normalise([]), normalise([7]), normalise([2, 2]), normalise([6, 4, 3, 2])]).toEqual([
    [],
    [1],
    [1, 1],
    [1, 0.5, 0.25, 0],
  ]);
});
