import { expect, test } from "vitest";
import { madeCandidate } from "./made-candidates.ts";
import { saturationFactors } from "./saturation.ts";

test("the best chunk of a file counts in full, each further one by one more power", () => {
  const candidates = ["a.ts", "a.ts", "b.ts", "a.ts"].map((path) => madeCandidate(path));
  expect([...saturationFactors(candidates, Float64Array.of(1, 3, 2, 0.5), 0.5)]).toEqual([0.5, 1, 1, 0.25]);
});
