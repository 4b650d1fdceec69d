import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type KnownLanguage, LANGUAGES } from "../../src/core/parse/languages.ts";
import { loadLanguage } from "../../src/core/parse/parse.ts";
import { openProject } from "../support/code-project.ts";

const MEGABYTE = 1_000_000;
/** Each text is given up after five seconds; the rest is for a busy machine. */
const LIMIT_MS = 300_000;

const TEXTS = [
  "([{".repeat(MEGABYTE / 3),
  "(".repeat(MEGABYTE),
  // As deep as is parsed at all.
  "([{".repeat(600),
  "!-".repeat(MEGABYTE / 10),
  // Strings that never end.
  `x = "${'a\' ` """ '.repeat(5_000)}\n`.repeat(4),
  // Bytes that are no UTF-8.
  Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28, 0x0a]).toString("utf8").repeat(20_000),
  // A line of four megabytes.
  `${"a b=1;".repeat(4 * 170_000)}\n`,
];

test.each(LANGUAGES.map(({ id }) => id))(
  "%s: hostile text ends in time and breaks nothing",
  async (id) => {
    const parse = await loadLanguage(id);
    for (const text of TEXTS) {
      const { symbols } = parse(text);
      const lines = text.split("\n").length;
      expect(symbols.filter(({ startLine, endLine }) => startLine < 1 || endLine > lines)).toEqual([]);
    }
    expect(parse("").symbols).toEqual([]);
  },
  LIMIT_MS,
);

test.each([
  ["c", "struct shop {\n  int size;\n};\n"],
  ["python", "class shop:\n    pass\n"],
  ["typescript", "class shop {}\n"],
  ["ruby", "class shop\nend\n"],
  ["kotlin", "class shop\n"],
] as const)(
  "%s: a definition above a megabyte of brackets is found",
  async (id, head) => {
    const { symbols } = (await loadLanguage(id))(`${head}${"([{".repeat(MEGABYTE / 3)}\n`);
    expect(symbols.map(({ name }) => name)).toContain("shop");
  },
  LIMIT_MS,
);

/** What follows the fixture of a language in a file that is indexed. */
const TAILS: Readonly<Record<string, Buffer>> = {
  brackets: Buffer.from("([{".repeat(MEGABYTE / 3)),
  string: Buffer.from(`\nx = "${'a\' ` """ '.repeat(5_000)}\n`.repeat(4)),
  bytes: Buffer.from([0x0a, 0xff, 0xfe, 0x80, 0xc3, 0x28, 0x0a]),
  line: Buffer.from(`\n${"a b=1;".repeat(650_000)}\n`),
};

const programming: readonly KnownLanguage[] = LANGUAGES.filter(
  (language: KnownLanguage) => !language.isDocument,
);
test.each(programming.map(({ id }) => id))(
  "%s: a project with hostile files is indexed, and what stands above the hostile text is found",
  async (id) => {
    const { name, text } = fixtureOf(id);
    const [known] = (await loadLanguage(id))(text).symbols;
    const pathOf = (kind: string) => `${kind}/${name}`;
    const hostile = Object.entries(TAILS).map(([kind, tail]) => [
      pathOf(kind),
      Buffer.concat([Buffer.from(text), tail]),
    ]);
    await using project = openProject({ [pathOf("clean")]: text, ...Object.fromEntries(hostile) });
    const { statistics } = await project.index();
    expect(statistics.files_indexed + statistics.files_failed).toBe(hostile.length + 1);
    const found = await Promise.all(
      ["clean", ...Object.keys(TAILS)].map(async (kind) => {
        const filters = { file_pattern: pathOf(kind) };
        const { results } = await project.search(known?.name ?? "", { filters });
        return [kind, results.length > 0];
      }),
    );
    expect(found).toEqual(["clean", ...Object.keys(TAILS)].map((kind) => [kind, true]));
  },
  LIMIT_MS,
);

function fixtureOf(id: string): { readonly name: string; readonly text: string } {
  const folder = join(import.meta.dirname, "../../src/core/parse/languages", id);
  const file = readdirSync(folder).find((name) => name.endsWith(".txt") && name !== "symbols.txt") ?? "";
  return { name: file.replace(/\.txt$/, ""), text: readFileSync(join(folder, file), "utf8") };
}
