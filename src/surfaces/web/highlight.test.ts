import { expect, test } from "vitest";
import { highlight } from "./highlight.ts";

const colored = async (path: string, text: string) =>
  (await highlight({ path, text })).map(([from, to, kind]) => `${kind} ${text.slice(from, to)}`);

test("source is coloured by its syntax tree", async () => {
  expect(await colored("a.ts", 'export function load(a: Store) { return open("x", 1); } // why')).toEqual([
    "keyword export",
    "keyword function",
    "function load",
    "type Store",
    "keyword return",
    "function open",
    'string "x"',
    "number 1",
    "comment // why",
  ]);
  expect(await colored("a.go", "func Run() error { return nil }")).toContain("function Run");
});

test("a text without a grammar has no colours, and a hostile one does not stop the server", async () => {
  expect(await colored("notes.unknown", "if this then that")).toEqual([]);
  expect(await colored("a.ts", "(".repeat(50_000))).toEqual([]);
  expect(Array.isArray(await colored("a.ts", `${"a.".repeat(20_000)}b`))).toBe(true);
});
