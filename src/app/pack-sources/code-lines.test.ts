import { expect, test } from "vitest";
import { headEnd } from "./code-lines.ts";

test.each([
  ["one line", "func f(a int) error {\n\treturn nil\n}", 1],
  [
    "parameters of many lines",
    "export async function f(\n  a: string,\n  b = g(1),\n): Promise<void> {\n}",
    4,
  ],
  ["Python", "def f(\n    a,\n) -> int:\n    return a", 3],
  ["an arrow", "const f = (\n  a: number,\n): number =>\n  a + 1;", 3],
  ["a block of constants has no head but its first line", "const (\n\ta = 1\n\tb = 2\n)", 1],
  ["what never opens a body", "type Id\n\nfunc g() {", 1],
])("the head of a declaration ends where its body opens: %s", (_name, text, end) => {
  const lines = text.split("\n");
  expect(headEnd(lines, { line: 1, endLine: text.startsWith("type") ? 1 : lines.length })).toBe(end);
});
