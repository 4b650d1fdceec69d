import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { fuse } from "./fusion.ts";

const Cases = z.object({
  cases: z.array(
    z.object({
      k: z.int(),
      vector: z.array(z.int()),
      text: z.array(z.int()),
      expected: z.array(z.object({ id: z.int(), score: z.number() })),
    }),
  ),
});
const golden = Cases.parse(JSON.parse(readFileSync("tests/contracts/golden/search/rrf.json", "utf8")));

test.each(golden.cases)(
  "equal weights give plain reciprocal-rank fusion: $vector with $text",
  ({ k, vector, text, expected }) => {
    const fused = fuse(
      [
        { ids: vector, weight: 1 },
        { ids: text, weight: 1 },
      ],
      k,
    );
    const ranked = [...fused].sort(([a, x], [b, y]) => y - x || a - b).map(([id, score]) => ({ id, score }));
    expect(ranked.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    for (const [at, { score }] of expected.entries()) expect(ranked[at]?.score).toBeCloseTo(score, 12);
  },
);
