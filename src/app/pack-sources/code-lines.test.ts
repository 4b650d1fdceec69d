import fc from "fast-check";
import { expect, test } from "vitest";
import { headEnd, mentionedIn, mentions } from "./code-lines.ts";

test.each([
  ["one line", "func f(a int) error {\n\treturn nil\n}", 1],
  [
    "parameters of many lines",
    "export async function f(\n  a: string,\n  b = g(1),\n): Promise<void> {\n}",
    4,
  ],
  ["Python", "def f(\n    a,\n) -> int:\n    return a", 3],
  ["an arrow", "const f = (\n  a: number,\n): number =>\n  a + 1;", 3],
  ["the head of a block of constants is its first line", "const (\n\ta = 1\n\tb = 2\n)", 1],
  ["a line of many braces", `const table = ${"{ a: 1 }, ".repeat(60_000)}\n];`, 2],
  ["a declaration without a body", "type Id\n\nfunc g() {", 1],
])("the head of a declaration ends at the line that opens its body: %s", (_name, text, end) => {
  const lines = text.split("\n");
  expect(headEnd(lines, { line: 1, endLine: text.startsWith("type") ? 1 : lines.length })).toBe(end);
});

test("checking many names gives the same result as checking each one", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "é", "_", "$", "1", ".", " ", "-"),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(text), text, (lines, name) => {
      expect(mentionedIn(lines)(name)).toBe(mentions(lines, name));
    }),
  );
});
