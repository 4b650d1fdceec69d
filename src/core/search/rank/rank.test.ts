import { expect, test } from "vitest";
import type { RankCandidate } from "./candidate.ts";
import { madeCandidate } from "./made-candidates.ts";
import { readQuestion } from "./question.ts";
import { rankCandidates } from "./rank.ts";
import { RANK_WEIGHTS } from "./weights.ts";

const rank = (text: string, candidates: readonly RankCandidate[], meaning = 0.4) =>
  rankCandidates({ text, question: readQuestion(text), candidates, meaning, weights: RANK_WEIGHTS });
const pathsOf = (text: string, candidates: readonly RankCandidate[], meaning?: number) =>
  rank(text, candidates, meaning).map(({ candidate }) => candidate.path);

test("what both lists hold comes before what one of them does", () => {
  const candidates = [
    madeCandidate("a.ts", { keywordRank: 1 }),
    madeCandidate("b.ts", { keywordRank: 2, vectorRank: 2 }),
    madeCandidate("c.ts", { vectorRank: 1 }),
  ];
  expect(pathsOf("zebra", candidates)).toEqual(["b.ts", "a.ts", "c.ts"]);
});

test("the share of meaning decides between the lists", () => {
  const candidates = [
    madeCandidate("words.ts", { keywordRank: 1 }),
    madeCandidate("meant.ts", { vectorRank: 1 }),
  ];
  expect(pathsOf("zebra", candidates, 0.1)[0]).toEqual("words.ts");
  expect(pathsOf("zebra", candidates, 0.9)[0]).toEqual("meant.ts");
});

test("chunks of one file do not fill the answer", () => {
  const flood = [1, 2, 3, 4].map((keywordRank) =>
    madeCandidate("flood.ts", { chunk: keywordRank, keywordRank }),
  );
  const candidates = [...flood, madeCandidate("other.ts", { keywordRank: 5 })];
  expect(pathsOf("zebra", candidates).slice(0, 2)).toEqual(["flood.ts", "other.ts"]);
});

test("a file that is found often comes before one that is found once, a little better", () => {
  const often = [3, 4, 5].map((keywordRank) =>
    madeCandidate("often.ts", { chunk: keywordRank, keywordRank }),
  );
  expect(pathsOf("zebra", [madeCandidate("once.ts", { keywordRank: 2 }), ...often])[0]).toEqual("often.ts");
});

test("a test stands behind the source it tests, unless tests are asked for", () => {
  const candidates = [
    madeCandidate("tests/test_queue.py", { keywordRank: 1 }),
    madeCandidate("src/jobs.py", { keywordRank: 2 }),
  ];
  expect(pathsOf("draining jobs", candidates)[0]).toEqual("src/jobs.py");
  expect(pathsOf("tests for draining", candidates)[0]).toEqual("tests/test_queue.py");
});

test("the definition of a name is first, wherever the lists have it", () => {
  const name = { text: "Engine", look: "whole" } as const;
  const candidates = [
    madeCandidate("a.rb", { keywordRank: 1, vectorRank: 1 }),
    madeCandidate("engine.rb", { defines: [{ name, isLiteral: true, definitions: 1 }] }),
  ];
  expect(pathsOf("Engine", candidates)[0]).toEqual("engine.rb");
});

test("a file of the name that is asked for comes before a value of that name in another file", () => {
  const name = { text: "response", look: "whole" } as const;
  const candidates = [
    madeCandidate("express.js", { keywordRank: 1, defines: [{ name, isLiteral: true, definitions: 1 }] }),
    madeCandidate("response.js", { keywordRank: 2, vectorRank: 1 }),
  ];
  expect(pathsOf("response", candidates)[0]).toEqual("response.js");
  expect(pathsOf("the response", candidates)[0]).toEqual("express.js");
});

test("of two files that answer alike the one nearer to the root comes first", () => {
  const found = { keywordRank: 1, vectorRank: 1 };
  const candidates = [
    madeCandidate("generators/app/base.rb", found),
    madeCandidate("generators/base.rb", found),
  ];
  expect(pathsOf("drain jobs", candidates)).toEqual(["generators/base.rb", "generators/app/base.rb"]);
  expect(rank("drain jobs", candidates)[1]?.steps()).toContainEqual({
    step: "depth",
    factor: RANK_WEIGHTS.depth,
  });
});

test("each candidate says what moved it", () => {
  const [first, second] = rank("drain the queue", [
    madeCandidate("queue.ts", { chunk: 1, keywordRank: 1 }),
    madeCandidate("queue.ts", { chunk: 2, keywordRank: 2 }),
  ]);
  expect(first?.steps().map(({ step }) => step)).toEqual(["words", "coherence", "path words"]);
  expect(second?.steps()).toContainEqual({ step: "saturation", factor: RANK_WEIGHTS.saturation });
});

test("the sum of the bonuses times the factors is the score", () => {
  const name = { text: "QueueFull", look: "identifier" } as const;
  const ranked = rank("when is QueueFull raised", [
    madeCandidate("tests/queue_test.py", { chunk: 1, keywordRank: 1, vectorRank: 3, keywordScore: 4 }),
    madeCandidate("src/queue.py", { chunk: 2, keywordRank: 2, keywordScore: 3, phrase: 0.5 }),
    madeCandidate("src/queue.py", {
      chunk: 3,
      vectorRank: 1,
      defines: [{ name, isLiteral: true, definitions: 1 }],
    }),
  ]);
  for (const { score, steps } of ranked) {
    const sum = steps().reduce((total, { bonus = 0 }) => total + bonus, 0);
    const factor = steps().reduce((product, step) => product * (step.factor ?? 1), 1);
    expect(sum * factor).toBeCloseTo(score, 12);
  }
});

test("no candidates give no answer", () => {
  expect(rank("anything", [])).toEqual([]);
});

test("tests beside the code and what is only declared stand behind the code", () => {
  const candidates = [
    madeCandidate("a.c", { keywordRank: 1, role: "declaration" }),
    madeCandidate("b.rs", { keywordRank: 2, role: "test" }),
    madeCandidate("c.c", { keywordRank: 3 }),
  ];
  expect(pathsOf("zebra", candidates)).toEqual(["c.c", "a.c", "b.rs"]);
  expect(rank("zebra", candidates)[1]?.steps().at(-1)).toEqual({
    step: "declaration",
    factor: RANK_WEIGHTS.notSource,
  });
});
