import { expect, test } from "vitest";
import type { AskedName, RankCandidate } from "./candidate.ts";
import { definitionBonus } from "./definitions.ts";
import { madeCandidate } from "./made-candidates.ts";
import { pathNameOf } from "./path-words.ts";
import { RANK_WEIGHTS } from "./weights.ts";

const defined = (look: AskedName["look"], given: { isLiteral?: boolean; definitions?: number } = {}) => [
  { name: { text: "SqlMapper", look }, isLiteral: true, definitions: 1, ...given },
];
const bonus = (path: string, given: Partial<RankCandidate>) =>
  definitionBonus(madeCandidate(path, given), pathNameOf(path), RANK_WEIGHTS);

test("a file of exactly the name comes before a part of it, and that before any other", () => {
  const defines = defined("whole");
  const [exact, part, other] = ["SqlMapper.cs", "SqlMapper.Async.cs", "Extensions.cs"].map((path) =>
    bonus(path, { defines }),
  );
  expect(exact).toBeGreaterThan(part ?? 0);
  expect(part).toBeGreaterThan(other ?? 0);
});

test("the same case counts more than another", () => {
  expect(bonus("a.cs", { defines: defined("whole") })).toBeGreaterThan(
    bonus("a.cs", { defines: defined("whole", { isLiteral: false }) }),
  );
});

test("within a sentence an identifier counts more than a word, and a name of many definitions less", () => {
  const looks = (["identifier", "capital", "word"] as const).map((look) =>
    bonus("a.cs", { defines: defined(look) }),
  );
  expect(looks).toEqual(looks.toSorted((a, b) => b - a));
  expect(bonus("a.cs", { defines: defined("word", { definitions: 30 }) })).toBeLessThan(
    bonus("a.cs", { defines: defined("word") }),
  );
});

test("a type counts more than a function of its name, and nothing defined gives nothing", () => {
  const defines = defined("whole");
  expect(bonus("a.cs", { defines, kind: "class" })).toBeGreaterThan(bonus("a.cs", { defines }));
  expect(bonus("a.cs", {})).toEqual(0);
});
