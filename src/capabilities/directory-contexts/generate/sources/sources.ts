import { join } from "node:path";
import { byCodeUnit } from "../../../../core/order.ts";
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
  /** Lies in the directory and is no part of what is built there. */
  readonly isOutsidePackage?: boolean;
}

/** Larger files are bundles, fixtures or generated: what they hold does not tell what a directory is for. */
const MAX_BYTES = 400_000;

/**
 * The directory's own source files with their symbols. AGENTS.md is left out: it repeats the contexts, so that a
 * context which spoke of it would change once more after each run. Files that cannot be read, or are binary, are left out.
 */
export async function readSources(root: string, directory: ScannedDirectory): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const name of directory.sources) {
    const text = name === AGENTS_FILE ? undefined : sourceText(join(root, directory.scope, name));
    if (text === undefined) continue;
    const isTest = isTestFile(name);
    // Tests offer nothing to others, and parsing is most of the work.
    const parsed = isTest ? undefined : await parse(name, text);
    sources.push({ name, text, isTest, ...(parsed && { parsed }) });
  }
  const apart = outsidePackage(sources);
  return sources.map((source) => (apart.has(source) ? { ...source, isOutsidePackage: true } : source));
}

async function parse(name: string, text: string): Promise<ParsedFile | undefined> {
  const language = languageOf(name);
  return language === undefined ? undefined : (await loadLanguage(language))(text);
}

/** `undefined` for what cannot be read, is too large or is binary; no pipe is waited for and no link followed. */
export function sourceText(file: string): string | undefined {
  const read = readBytes(file, MAX_BYTES);
  if ("skipped" in read || read.bytes.includes(0)) return undefined;
  // Old sources are in many encodings; what is not UTF-8 in them is seldom what is looked for.
  return new TextDecoder().decode(read.bytes);
}

const isTestFile = (name: string): boolean =>
  /[._-](test|spec)\.[^.]+$|^test_.*\.py$|Tests?\.(java|kt|cs)$|^conftest\.py$/.test(name);

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
export const languageName = (file: string): string | undefined => LANGUAGE_NAMES[extensionOf(file)];

/** Tags that no build sets by itself: of generators, fuzzers and lists of tools. */
const SET_BY_NO_BUILD = /(?<!!)\b(ignore|gofuzz|tools|generate|never|none|exclude)\b/;

/** Go files that stand beside the package of their directory: never built with it, or of another package. */
function outsidePackage(sources: readonly SourceFile[]): ReadonlySet<SourceFile> {
  const go = sources.filter(({ parsed, isTest }) => parsed?.language === "go" && !isTest);
  const built = go.filter(({ parsed }) => !SET_BY_NO_BUILD.test(parsed?.build ?? ""));
  // Where nothing is built, those files are all there is.
  const own = goPackageOf(built.length > 0 ? built : go);
  const isOwn = ({ parsed }: SourceFile) => parsed?.packageName === own;
  return new Set(go.filter((source) => !isOwn(source) || (built.length > 0 && !built.includes(source))));
}

/** The name most files give; a library before a program. */
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
