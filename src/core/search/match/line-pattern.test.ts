import fc from "fast-check";
import { expect, test } from "vitest";
import { linePattern, requiredFragment } from "./line-pattern.ts";

const linesOf = (pattern: string, text: string, mode: "literal" | "regex" = "regex") =>
  linePattern({ pattern, mode })
    .linesOf(text)
    .map(({ line, column }) => [line, column]);

test("a literal is found as it is written, once a line, with its place", () => {
  const text = "a = b[0];\nno\r\nx(a = b[0]); a = b[0]\n";
  expect(linePattern({ pattern: "a = b[0]", mode: "literal" }).linesOf(text)).toEqual([
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

test.each([
  ["func \\w+Handler", "Handler"],
  ["foo.bar\\(", "bar("],
  ["colou?r", "colo"],
  ["a|b", ""],
  ["(abc)+xyz", "xyz"],
  ["[abc]lookup", "lookup"],
  ["ab{2}cde", "cde"],
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
        const found = compiled.mayMatch(Buffer.from(text))
          ? compiled.linesOf(text).map((match) => match.line)
          : [];
        expect(found).toEqual(wanted);
      },
    ),
  );
});
