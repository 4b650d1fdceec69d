import { basename, join, posix } from "node:path";
import { isTestFile } from "../../../../core/files/path-kinds.ts";
import { byCodeUnit } from "../../../../core/order.ts";
import { languageById } from "../../../../core/parse/languages.ts";
import { languageOf, loadLanguage, type ParsedFile } from "../../../../core/parse/parse.ts";
import { readBytes } from "../../../../core/scan/read-text.ts";
import type { ScannedDirectory } from "../../read/scan-directories.ts";
import { extensionOf } from "../../read/source-files.ts";
import { AGENTS_FILE } from "../../schema.ts";

export interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly parsed?: ParsedFile;
  readonly isTest: boolean;
  /** In Rust, the document that is the comment of the file. */
  readonly includedDoc?: string;
  /** In the directory, but not part of the package that is built there. */
  readonly isOutsidePackage?: boolean;
}

/** Larger files are bundles, fixtures or generated. They do not show what a directory is for. */
const MAX_BYTES = 400_000;

/**
 * The directory's own source files with their symbols. AGENTS.md is left out: it repeats the contexts, so a
 * context that described it would change after each run. Unreadable and binary files are left out.
 */
export async function readSources(root: string, directory: ScannedDirectory): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const name of directory.sources) {
    const text = name === AGENTS_FILE ? undefined : sourceText(join(root, directory.scope, name));
    if (text === undefined) continue;
    const isTest = isTestFile(name);
    // Tests export nothing, and parsing is most of the work.
    const parsed = isTest ? undefined : await parse(name, text);
    const includedDoc = name.endsWith(".rs") ? includedDocOf(root, directory.scope, text) : undefined;
    sources.push({ name, text, isTest, ...(parsed && { parsed }), ...(includedDoc && { includedDoc }) });
  }
  const apart = outsidePackage(sources);
  return sources.map((source) => (apart.has(source) ? { ...source, isOutsidePackage: true } : source));
}

/** In Ruby, Rust and Elixir, the file `orders.rb` beside the directory `orders` describes both. */
export async function readBeside(root: string, scope: string): Promise<SourceFile | undefined> {
  for (const extension of scope === "." ? [] : ["rb", "rs", "ex"]) {
    const text = sourceText(join(root, `${scope}.${extension}`));
    const name = `${basename(scope)}.${extension}`;
    const parsed = text === undefined ? undefined : await parse(name, text);
    if (text !== undefined && parsed) return { name, text, parsed, isTest: false };
  }
  return undefined;
}

function includedDocOf(root: string, scope: string, text: string): string | undefined {
  const path = /^#!\[doc = include_str!\("([^"\n]+)"\)\]/m.exec(text)?.[1];
  const file = path === undefined ? ".." : posix.join(scope, path);
  return /^\.\.(\/|$)/.test(file) || posix.isAbsolute(file) ? undefined : sourceText(join(root, file));
}

async function parse(name: string, text: string): Promise<ParsedFile | undefined> {
  const language = languageOf(name);
  return language === undefined ? undefined : (await loadLanguage(language))(text);
}

/** `undefined` if the file cannot be read, is too large or is binary. Never blocks on a pipe or follows a link. */
export function sourceText(file: string): string | undefined {
  const read = readBytes(file, MAX_BYTES);
  if ("skipped" in read || read.bytes.includes(0)) return undefined;
  // Old sources have many encodings. The parts that are not UTF-8 rarely matter.
  return new TextDecoder().decode(read.bytes);
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  ...{ ts: "TypeScript", tsx: "TypeScript", mts: "TypeScript", js: "JavaScript", jsx: "JavaScript" },
  ...{
    mjs: "JavaScript",
    cjs: "JavaScript",
    py: "Python",
    pyi: "Python",
    go: "Go",
    rs: "Rust",
    java: "Java",
  },
  ...{ kt: "Kotlin", kts: "Kotlin", c: "C", h: "C", cpp: "C++", cc: "C++", hpp: "C++", cs: "C#", rb: "Ruby" },
  ...{ php: "PHP", swift: "Swift", scala: "Scala", ex: "Elixir", exs: "Elixir", hs: "Haskell", lua: "Lua" },
  ...{
    sh: "shell",
    bash: "shell",
    zsh: "shell",
    sql: "SQL",
    vue: "Vue",
    svelte: "Svelte",
    r: "R",
    tf: "Terraform",
  },
};
export const languageName = (file: string): string | undefined =>
  LANGUAGE_NAMES[extensionOf(file)] ?? languageById(languageOf(file) ?? "")?.name;

/** Build tags that are never set in a normal build: generators, fuzzers and lists of tools. */
const SET_BY_NO_BUILD = /(?<!!)\b(ignore|gofuzz|tools|generate|never|none|exclude)\b/;

/** Go files that do not belong to the package of their directory: never built with it, or of another package. */
function outsidePackage(sources: readonly SourceFile[]): ReadonlySet<SourceFile> {
  const go = sources.filter(({ parsed, isTest }) => parsed?.language === "go" && !isTest);
  const built = go.filter(({ parsed }) => !SET_BY_NO_BUILD.test(parsed?.build ?? ""));
  // If no file is built, use all of them.
  const own = goPackageOf(built.length > 0 ? built : go);
  const isOwn = ({ parsed }: SourceFile) => parsed?.packageName === own;
  return new Set(go.filter((source) => !isOwn(source) || (built.length > 0 && !built.includes(source))));
}

/** The package name of most files; a library before a program. */
function goPackageOf(files: readonly SourceFile[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { parsed } of files) {
    if (parsed?.packageName) counts.set(parsed.packageName, (counts.get(parsed.packageName) ?? 0) + 1);
  }
  const isProgram = (name: string) => Number(name === "main");
  return [...counts]
    .sort(([a, most], [b, more]) => more - most || isProgram(a) - isProgram(b) || byCodeUnit(a, b))
    .at(0)?.[0];
}
