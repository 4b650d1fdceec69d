import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../tests/support/draft-of.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { openImportMap } from "./imports/import-map.ts";
import { sourceText } from "./sources/sources.ts";

/** As large as a file may be that is read at all. */
const LARGEST = 390_000;
const filled = (part: string) => part.repeat(Math.floor(LARGEST / part.length));

describe("a file full of unclosed brackets, or of endless names, is read in linear time", () => {
  test.each([
    { file: "README.md", text: filled("[") },
    { file: "README.md", text: filled("![") },
    { file: "README.md", text: filled("[](") },
    { file: "README.md", text: filled("<") },
    { file: "README.md", text: filled("<!--") },
    { file: "README.md", text: `# a${filled(" ")}b` },
    { file: "README.md", text: `# ${filled("#")}b` },
    { file: "pom.xml", text: filled("<!--") },
    { file: "pom.xml", text: filled("<scm>") },
    { file: "pom.xml", text: filled("<dependency>") },
    { file: "go.mod", text: `module x\n\nrequire (\n\t${filled("a.")}\n)\n` },
    { file: "requirements.txt", text: `a${filled("[")}` },
    { file: "x.py", text: `import ${filled("a.")}a\n` },
    { file: "package.json", text: JSON.stringify({ packageManager: `${filled("@")}\nx` }) },
  ])("$file", async ({ file, text }) => {
    const { summary } = await draftOf({ [`a/${file}`]: text }, "a", "full");
    expect(summary.length).toBeLessThanOrEqual(201);
  });
});

test("thousands of names that one file re-exports from another are found", async () => {
  const each = (line: (name: string) => string) =>
    Array.from({ length: 3_000 }, (_, place) => line(`a${place}`)).join("\n");
  const { exports } = await draftOf(
    {
      "a/index.ts": each((name) => `export { ${name} } from "./b.ts";`),
      "a/b.ts": each((name) => `export const ${name} = 1;`),
    },
    "a",
  );
  expect(exports?.at(-1)).toBe("… and 2975 more");
});

test("a pipe instead of a manifest does not block", () => {
  using dir = tempDir();
  execFileSync("mkfifo", [join(dir.path, "go.mod")]);
  expect(openImportMap(dir.path).goModule(".")).toBeUndefined();
});

test("a byte order mark is not part of a text, and bytes that are not UTF-8 do not hide the rest", () => {
  using dir = tempDir();
  const file = join(dir.path, "a.md");
  writeFileSync(file, "\ufeff# Keys\nKept here.");
  expect(sourceText(file)).toBe("# Keys\nKept here.");
  writeFileSync(file, Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  expect(sourceText(file)).toBe("caf\ufffd");
});

test.each([
  { what: "no blank", description: "😀".repeat(150), expected: `${"😀".repeat(98)}...` },
  { what: "half a character", description: "Half \ud83d.", expected: "Half \ufffd." },
])("a description with $what can be written as it is drafted", async ({ description, expected }) => {
  const { summary } = await draftOf({ "a/package.json": JSON.stringify({ description }) }, "a");
  expect(summary).toBe(expected);
});

test("a directory of any name is described by its files", async () => {
  expect((await draftOf({ "constructor/a.json": "{}" }, "constructor")).summary).toBe("1 file (derived).");
});
