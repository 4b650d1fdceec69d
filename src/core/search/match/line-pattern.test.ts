import fc from "fast-check";
import { expect, test } from "vitest";
import { alternativesOf, type LinePattern, linePattern, requiredFragment } from "./line-pattern.ts";
import { trigramSet } from "./trigrams.ts";

/** Whether trigrams and bytes allow a match, as the index asks it. */
const mayMatch = ({ trigrams, mayMatch }: LinePattern, text: string) => {
  const bytes = Buffer.from(text);
  const set = trigramSet(bytes);
  const holds = (place: number) => ((set[(place >>> 3) % set.length] ?? 0) & (1 << (place & 7))) !== 0;
  return trigrams.some((places) => places.every(holds)) && mayMatch(bytes);
};

const linesOf = (pattern: string, text: string, mode: "literal" | "regex" = "regex") =>
  linePattern({ pattern, mode })
    .linesOf([text])
    .flat()
    .map(({ line, column }) => [line, column]);

test("a literal is found as it is written, once a line, with its place", () => {
  const text = "a = b[0];\nno\r\nx(a = b[0]); a = b[0]\n";
  expect(linePattern({ pattern: "a = b[0]", mode: "literal" }).linesOf([text]).flat()).toEqual([
    { line: 1, column: 1, text: "a = b[0];" },
    { line: 3, column: 3, text: "x(a = b[0]); a = b[0]" },
  ]);
});

test("case counts if the pattern has an upper-case letter", () => {
  expect(linesOf("view", "View\nview", "literal")).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(linesOf("View", "View\nview", "literal")).toEqual([[1, 1]]);
});

test("an expression is matched line by line", () => {
  expect(linesOf("^\\s*def \\w+\\(", "def a(\n\n  def b(\nx def c(")).toEqual([
    [1, 1],
    [3, 1],
  ]);
  expect(linesOf("a[^x]*c", "a\nb c\nabc")).toEqual([[3, 1]]);
});

test.each(["(", "a".repeat(1001), "", "a\nb"])("%j is refused", (pattern) => {
  expect(() => linePattern({ pattern, mode: "regex" })).toThrow(/regular expression|one line/);
});

test("an expression that backtracks without end is stopped", () => {
  expect(() => linesOf("^(a+)+$", `${"a".repeat(40)}b`)).toThrow(/takes too long/);
});

test("an expression that is slow again and again is stopped, and the next one works", () => {
  const pattern = linePattern({ pattern: "(a|a)*$", mode: "regex" }, 200);
  // One text is quick: only their sum is too long.
  expect(() => {
    for (;;) pattern.linesOf([`${"a".repeat(12)}b`]);
  }).toThrow(/takes too long/);
  expect(linesOf("b+", "abb")).toEqual([[1, 2]]);
});

test.each([
  ["func \\w+Handler", "Handler"],
  ["foo.bar\\(", "bar("],
  ["colou?r", "colo"],
  ["a|b", ""],
  ["(abc)+xyz", "xyz"],
  ["[abc]lookup", "lookup"],
  ["ab{2}cde", "cde"],
  ["(a|b)cde", "cde"],
  ["[|]cde", "cde"],
])("every match of %s holds %j", (pattern, fragment) => {
  expect(requiredFragment(pattern)).toEqual(fragment);
});

test("a literal finds exactly the lines that hold it", () => {
  const word = fc.constantFrom("aB", "ab", "k", "ſ", "(", "ü", " ");
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(""));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      (lines, words) => {
        const pattern = words.join("");
        const text = lines.join("\n");
        const wanted = lines.flatMap((held, at) => (held.includes(pattern) ? [at + 1] : []));
        const compiled = linePattern({ pattern, mode: "literal", ignoreCase: false });
        const found = mayMatch(compiled, text)
          ? compiled.linesOf([text]).flatMap((lines) => lines.map((match) => match.line))
          : [];
        expect(found).toEqual(wanted);
      },
    ),
  );
});

test("alternatives are what stands between the bars outside of groups and classes", () => {
  expect(alternativesOf("foo|(a|b)c|[|]\\|d")).toEqual(["foo", "(a|b)c", "[|]\\|d"]);
});

test("a text that cannot match is known by its trigrams, whatever the case", () => {
  const isPossible = (pattern: string, mode: "literal" | "regex") =>
    mayMatch(linePattern({ pattern, mode, ignoreCase: true }), "func NewReader(r io.Reader)");
  expect(isPossible("newreader", "literal")).toBe(true);
  expect(isPossible("newwriter", "literal")).toBe(false);
  expect(isPossible("newwriter|io\\.reader", "regex")).toBe(true);
  expect(isPossible("newwriter|io\\.writer", "regex")).toBe(false);
  expect(isPossible("\\w+", "regex")).toBe(true);
});

test("no expression misses a text because of its trigrams", () => {
  const part = fc.constantFrom("abc", "Kelvin", "size", "a|b", "(x|abc)", "[ab]c", "c+", "é", "\\.", "ſ");
  const text = fc.array(fc.constantFrom("abc", "\u212aelvin", "ſize", "SIZE", "x", "É", ".", "ab"), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      text,
      fc.boolean(),
      (parts, words, ignoreCase) => {
        const compiled = linePattern({ pattern: parts.join(""), mode: "regex", ignoreCase });
        const held = words.join("");
        const isMatch = compiled.linesOf([held]).flat().length > 0;
        expect(isMatch && !mayMatch(compiled, held)).toBe(false);
      },
    ),
  );
});
