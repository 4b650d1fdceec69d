import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Language } from "./language.ts";
import type { ParsedFile } from "./parse.ts";

const FOLDER = join(import.meta.dirname, "languages");
const LIST = join(FOLDER, "list.ts");
const NAMES = join(FOLDER, "names.ts");
const folders = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
// Written before it is imported, so that one run is enough for a new folder.
if (process.env["UPDATE_SYMBOLS"]) writeFileSync(LIST, languageList());
const { LANGUAGES } = await import("./languages.ts");
if (process.env["UPDATE_SYMBOLS"]) writeFileSync(NAMES, languageNames(LANGUAGES));
const { LANGUAGE_NAMES } = await import("./languages/names.ts");
const { documentLanguageOf, languageOf, loadLanguage } = await import("./parse.ts");

test("every folder of a language is in the list, and no language is known by two names", () => {
  expect(readFileSync(LIST, "utf8")).toBe(languageList());
  expect(LANGUAGES.map(({ id }) => id)).toEqual(folders);
  expect(LANGUAGE_NAMES).toEqual(LANGUAGES.map(namesOf));
  const names = LANGUAGES.flatMap((language): readonly string[] => [
    ...language.extensions.map((extension) => `.${extension}`),
    ...(("fileNames" in language && language.fileNames) || []),
  ]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

/** The fixture is named like a file of the language, and ends in `.txt` so that no tool takes it for one. */
test.each(folders)("%s: the fixture has the symbols listed beside it", async (folder) => {
  const fixture = readdirSync(join(FOLDER, folder)).find(
    (name) => name.endsWith(".txt") && name !== "symbols.txt",
  );
  const name = (fixture ?? "").replace(/\.txt$/, "");
  const id = languageOf(name) ?? documentLanguageOf(name);
  expect(id).toBe(folder);
  const parse = await loadLanguage(id ?? "go");
  const found = describeFile(parse(readFileSync(join(FOLDER, folder, fixture ?? ""), "utf8")));
  const expected = join(FOLDER, folder, "symbols.txt");
  if (process.env["UPDATE_SYMBOLS"] && !existsSync(expected)) writeFileSync(expected, found);
  expect(found).toBe(readFileSync(expected, "utf8"));
});

/** A function, because the list is written before this line is reached. */
function namesOf({ id, extensions, fileNames, interpreters, isDocument }: Language) {
  return {
    id,
    extensions,
    ...(fileNames && { fileNames }),
    ...(interpreters && { interpreters }),
    ...(isDocument && { isDocument }),
  };
}

/** Format it afterwards: npx biome check --write src/core/parse/languages. */
function languageNames(languages: readonly Language[]): string {
  return [
    "// Written by languages.test.ts from the folders of languages/ (UPDATE_SYMBOLS=1).",
    'import type { LanguageNames } from "../language.ts";',
    "",
    "/** How files are recognised, without the rules: those are loaded to parse, and these at every start. */",
    "export const LANGUAGE_NAMES = [",
    ...languages.map((language) => `  ${JSON.stringify(namesOf(language))},`),
    "] as const satisfies readonly LanguageNames[];",
    "",
  ].join("\n");
}

/** `objective-c` exports `objectiveC`. */
function languageList(): string {
  const names = folders.map((folder) => folder.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
  return [
    "// Written by languages.test.ts from the folders of languages/ (UPDATE_SYMBOLS=1).",
    'import type { Language } from "../language.ts";',
    ...folders.map((folder, at) => `import { ${names[at]} } from "./${folder}/index.ts";`),
    "",
    "export const LANGUAGES = [",
    ...names.map((name) => `  ${name},`),
    "] as const satisfies readonly Language[];",
    "",
  ].join("\n");
}

/** One line a symbol: lines, `+` if exported, kind, parent and name, head, doc. Names of members follow. */
function describeFile({ doc, imports, symbols, members = [], problems }: ParsedFile): string {
  const lines = symbols.map(
    ({ docStartLine, startLine, endLine, exported, kind, parent, name, signature, doc: about }) =>
      `${docStartLine === startLine ? "" : `${docStartLine}:`}${startLine}-${endLine} ${exported ? "+" : "-"}${kind} ` +
      `${parent === undefined ? "" : `${parent} › `}${name} | ${signature}${about === "" ? "" : ` | ${about.replaceAll("\n", "⏎")}`}`,
  );
  return [
    ...(doc === "" ? [] : [`doc ${doc.replaceAll("\n", "⏎")}`]),
    ...imports.map((name) => `import ${name}`),
    ...problems.map(({ line, message }) => `problem ${line} ${message}`),
    ...lines,
    ...members.map(
      ({ line, exported, kind, parent, name, signature }) =>
        `member ${line} ${exported ? "+" : "-"}${kind} ${parent} › ${name} | ${signature}`,
    ),
    "",
  ].join("\n");
}
