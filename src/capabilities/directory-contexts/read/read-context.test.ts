import { expect, test } from "vitest";
import { parseContext } from "./read-context.ts";

const SIZE = 120_000;
const fill = (unit: string) => unit.repeat(Math.floor(SIZE / unit.length));
const numbered = (unit: (index: number) => string) =>
  Array.from({ length: SIZE / 12 }, (_, index) => unit(index)).join("\n");

test.each([
  { what: "distinct keys", yaml: numbered((index) => `k${index}:`), reason: "top-level keys" },
  { what: "nested keys", yaml: `config:\n${numbered((index) => ` k${index}:`)}`, reason: "expected array" },
  { what: "keys in flow style", yaml: `{${numbered((index) => `k${index}: 1,`)}}`, reason: "top-level keys" },
  { what: "tags", yaml: fill("- !a b\n"), reason: "aliases and tags" },
  { what: "anchors", yaml: numbered((index) => `- &a${index} x`), reason: "aliases and tags" },
  { what: "directives", yaml: fill("%A\n"), reason: "aliases and tags" },
  { what: "open brackets", yaml: fill("["), reason: "nested deeper" },
  { what: "open braces", yaml: fill("{a: "), reason: "nested deeper" },
  { what: "closed brackets", yaml: fill("]"), reason: "brackets" },
  { what: "empty lists", yaml: fill("[]"), reason: "brackets" },
  { what: "lists in lists", yaml: fill("- "), reason: "nested deeper" },
  { what: "keys of keys", yaml: fill("? "), reason: "nested deeper" },
  { what: "an alias bomb", yaml: `a: &a x\nb:\n${fill("- *a\n")}`, reason: "aliases and tags" },
  { what: "one key again and again", yaml: "a: 1\na: 2\n", reason: "The key a is there twice at line 2" },
  { what: "one key twice, nested", yaml: "a:\n  - b: 1\n    b: 2\n", reason: "The key b is there twice" },
  { what: "too many bytes", yaml: fill("# comment\n").repeat(2), reason: "larger than" },
])("$what are refused", ({ yaml, reason }) => {
  expect(parseContext(yaml)).toEqual({ kind: "corrupt", reason: expect.stringContaining(reason) });
});
