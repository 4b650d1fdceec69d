import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { symbolLines } from "../../../../../tests/support/symbol-lines.ts";
import { parseSource } from "../../parse.ts";

const ODDITIES = join(import.meta.dirname, "../../../../../tests/contracts/golden/code-index/oddities");

const files = readdirSync(ODDITIES).filter((file) => file.endsWith(".go"));
test.each(files)("%s gives the symbols listed beside it", async (file) => {
  const expected: unknown = JSON.parse(readFileSync(join(ODDITIES, file.replace(/\.go$/, ".json")), "utf8"));
  expect(await parseSource(file, readFileSync(join(ODDITIES, file), "utf8"))).toEqual(expected);
});

test("a signature holds what looks like a comment or a body, and ends where a body of several lines begins", async () => {
  const text = `package p

const BaseURL = "https://example.com/api" // the service
type Set map[string]struct{}
type Rows []struct {
	Name string
}
var Long = "https://example.com/${"a".repeat(80)}"
`;
  expect(await symbolLines("p.go", text)).toEqual([
    '3-3 +const BaseURL: const BaseURL = "https://example.com/api" // the service',
    "4-4 +type Set: type Set map[string]struct{}",
    "5-7 +type Rows: type Rows []struct",
    "8-8 +var Long: var Long = …",
  ]);
});

test("a long function may be cut where its statements begin, never elsewhere", async () => {
  const statements = Array.from({ length: 30 }, (_, at) => `\tif x == ${at} {\n\t\tx++\n\t}`);
  const text = `package p\n\nfunc long(x int) {\n${statements.join("\n")}\n}\n`;
  const [symbol] = (await parseSource("p.go", text))?.symbols ?? [];
  const lines = text.split("\n");
  expect(symbol?.cuts.length).toBeGreaterThan(25);
  expect(symbol?.cuts.map((line) => lines[line - 1]?.trim().slice(0, 2))).toEqual(
    symbol?.cuts.map(() => "if"),
  );
});

test("a thousand nested operands do not exhaust the stack", async () => {
  const sum = Array.from({ length: 5000 }, (_, at) => `"${at}" +\n`).join("");
  expect(await symbolLines("p.go", `package p\n\nvar s = ${sum}"end"\n\nfunc After() {}\n`)).toHaveLength(2);
});
