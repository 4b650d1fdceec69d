import { expect, test } from "vitest";
import type { PackItem } from "../item.ts";
import { choose, type ItemCosts } from "./choose.ts";
import { makeSafe } from "./safe-item.ts";

/** An item whose sizes cost as many tokens as given, largest first. */
const item = (id: string, costs: readonly number[], overrides: Partial<PackItem> = {}) =>
  makeSafe({
    id,
    room: "code-index",
    kind: "code",
    title: id,
    score: 0.9,
    why: "",
    provenance: "",
    freshness: "fresh",
    language: "go",
    sizes: costs.map((cost) => ({ text: String(cost), citation: { path: id, start: 1, end: 1 } })),
    ...overrides,
  });
const COSTS: ItemCosts = {
  costOf: ({ sizes }, size) => Number(sizes[size]?.text),
  frameOf: () => 20,
  blockOf: ({ sizes }) => sizes[0]?.citation.path ?? "",
};
const chosenOf = (items: readonly ReturnType<typeof item>[], budget: number, isAboutTests = false) =>
  choose(items, { budget, isAboutTests }, COSTS).chosen.map(({ item: { id }, size }) => `${id} ${size}`);
const many = (count: number, make: (index: number) => ReturnType<typeof item>) =>
  Array.from({ length: count }, (_, index) => make(index));

test("the best code is whole although many small items have more value per token", () => {
  const best = item("best", [900, 200]);
  const small = many(100, (index) => item(`small${index}`, [30], { score: 0.6 }));
  expect(chosenOf([...small, best], 2000)).toContain("best 0");
});

test("the best code is cut if it does not fit into half of the budget, and the next best is whole", () => {
  const chosen = chosenOf([item("long", [1500, 200]), item("next", [600, 100], { score: 0.8 })], 2000);
  expect(chosen).toEqual(["long 1", "next 0"]);
});

test.each([
  ["another task", false, 4],
  ["a task about tests", true, 20],
])("tests take at most a fifth of the budget for %s", (_task, isAboutTests, most) => {
  const tests = many(30, (index) => item(`test${index}`, [100], { role: "test" }));
  expect(chosenOf(tests, 2000, isAboutTests)).toHaveLength(most);
});

test("accessories get what is left, at most a tenth", () => {
  const accessories = many(30, (index) => item(`lock${index}`, [50], { role: "accessory", score: 1 }));
  const source = many(30, (index) => item(`source${index}`, [60], { score: 0.5 }));
  const chosen = chosenOf([...accessories, ...source], 2000);
  expect(chosen.filter((id) => id.startsWith("source"))).toHaveLength(30);
  expect(chosen.filter((id) => id.startsWith("lock"))).toHaveLength(4);
});

test.each([
  ["little code", 8000, 2, 76],
  ["much code", 8000, 40, 8],
  ["a small budget", 1000, 40, 4],
])(
  "documents take a tenth of the budget or some, and what the code leaves: %s",
  (_what, budget, count, most) => {
    const documents = many(90, (index) => item(`document${index}`, [100], { kind: "document", score: 1 }));
    const code = many(count, (index) => item(`code${index}`, [200], { score: 0.5 }));
    const chosen = chosenOf([...documents, ...code], budget);
    expect(chosen.filter((id) => id.startsWith("document"))).toHaveLength(most);
  },
);

test("summaries of directories take at most a tenth of the budget", () => {
  const summaries = many(30, (index) => item(`directory${index}`, [40], { kind: "directory" }));
  expect(chosenOf(summaries, 1000)).toHaveLength(2);
});

test("a second item of a file costs less, because both share a block", () => {
  const inOneFile = (id: string) => ({
    ...item(id, [100]),
    sizes: item("file", [100]).sizes,
  });
  expect(chosenOf([inOneFile("a"), inOneFile("b")], 180)).toEqual(["a 0", "b 0"]);
  expect(chosenOf([item("a", [100]), item("b", [100])], 180)).toEqual(["a 0"]);
});

test("what the task names is whole before longer code, and documents do not fill the rest", () => {
  const target = item("target", [600, 100], { isTarget: true });
  const small = many(100, (index) => item(`small${index}`, [30]));
  const code = chosenOf([item("long", [900, 100]), target, ...small], 2000);
  expect(code).toContain("target 0");
  expect(code).not.toContain("long 0");
  const pages = many(20, (index) => item(`page${index}`, [100], { kind: "document" }));
  expect(chosenOf([target, ...pages], 2000)).toHaveLength(1 + 4);
});
