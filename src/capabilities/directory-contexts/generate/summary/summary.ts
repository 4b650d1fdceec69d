import type { ParsedSymbol } from "../../../../core/parse/parse.ts";
import type { PackageManifest } from "../sources/manifests.ts";
import { languageName, type SourceFile } from "../sources/sources.ts";
import { commentSentences, fileDoc, hasWords } from "./comments.ts";
import { describeDirectoryName } from "./directory-names.ts";
import { isEntryFile, publicSymbols, reExportsOf } from "./public-symbols.ts";
import { describeByReadme } from "./readme.ts";
import { firstSentences } from "./sentences.ts";

interface SummaryClues {
  readonly scope: string;
  readonly directoryName: string;
  readonly sources: readonly SourceFile[];
  readonly manifests: readonly PackageManifest[];
  /** Child directories that have a context of their own. */
  readonly children: readonly { readonly name: string; readonly summary: string }[];
}

/** One or two sentences on what a directory is for, from the best source there is. */
export function summarize(all: SummaryClues): string {
  const clues = { ...all, sources: all.sources.filter(({ isOutsidePackage }) => !isOutsidePackage) };
  const manifest = clues.manifests.find(({ description }) => description !== "")?.description ?? "";
  return (
    firstSentences(manifest) ||
    entryDoc(clues.sources) ||
    describeByReadme(clues.sources) ||
    docOfNamesake(clues) ||
    composed(clues)
  );
}

const ENTRY_FILES = [
  /^doc\.go$/,
  /^__init__\.pyi?$/,
  /^package-info\.java$/,
  /^(lib|mod|main)\.rs$/,
  /^index\.[cm]?[jt]sx?$/,
  /^mod\.[cm]?[jt]s$/,
  /^main\.(go|py|[cm]?[jt]s)$/,
];

/** The comment of the entry file. In Go, any file may have the package's comment. */
function entryDoc(sources: readonly SourceFile[]): string {
  for (const pattern of ENTRY_FILES) {
    const entry = sources.find(({ name }) => pattern.test(name));
    const doc = entry ? fileDoc(entry) : "";
    if (doc !== "") return doc;
  }
  const go = sources.find(
    ({ parsed, isTest }) => !isTest && parsed?.language === "go" && /^(Package|Command) /.test(parsed.doc),
  );
  return go ? fileDoc(go) : "";
}

/** A directory is described by its only file, by its entry file, or by the file with its name. */
function docOfNamesake({ sources, directoryName }: SummaryClues): string {
  const code = sources.filter(({ parsed, isTest }) => parsed && !isTest);
  const describing =
    code.length === 1
      ? code
      : code.filter(
          ({ name }) => topicOf(name) === directoryName || ENTRY_FILES.some((entry) => entry.test(name)),
        );
  return describing.map((source) => mainDoc(source, directoryName)).find((doc) => doc !== "") ?? "";
}

/** The comment of a file, or of the one symbol in it that has the directory's name. */
function mainDoc(source: SourceFile, directoryName: string): string {
  const own = fileDoc(source);
  if (own !== "") return own;
  const offered = publicSymbols(source);
  const documented = offered.filter(({ doc }) => doc !== "");
  const active = documented.filter(({ kind }) => kind !== "const" && kind !== "var");
  const pool = active.length > 0 ? active : documented;
  const name = directoryName.replace(/\W/g, "").toLowerCase();
  const namesakes = pool.filter((symbol) => symbol.name.toLowerCase().includes(name));
  // Functions and classes say more about a directory than types.
  const namesake =
    namesakes.find((symbol) => symbol.name.toLowerCase() === name) ??
    namesakes.find(({ kind }) => kind === "function" || kind === "class") ??
    namesakes[0];
  // A single value, such as an error, does not describe a directory.
  return commentSentences((namesake ?? (offered.length === 1 ? active[0] : undefined))?.doc ?? "");
}

function composed({ directoryName, sources, manifests, children, scope }: SummaryClues): string {
  const noun = scope === "." ? undefined : describeDirectoryName(directoryName);
  if (sources.length === 0 || (children.length > 0 && sources.every(isProjectSetup)))
    return composedOfChildren(noun, children);
  const offered = publicNames(sources);
  const what =
    noun ?? (offered.length > 0 ? undefined : majority(sources)) ?? languageNoun(sources) ?? "Files";
  if (offered.length > 0) return sentence(`${what}: ${listed(offered, 5)}`);
  const topics = [...new Set(sources.map(({ name }) => topicOf(name)))].filter(
    (name) => !MEANINGLESS_NAMES.test(name),
  );
  const names = topics.length > 0 ? topics : manifests.map(({ name }) => name).filter(Boolean);
  return sentence(names.length === 0 ? what : `${what}: ${listed(names, 6)}`);
}

/** Every project has files with these names. */
const MEANINGLESS_NAMES =
  /^(index|main|readme|package|package-lock|pom|__init__|__main__|conftest|tsconfig|pyproject|requirements|cargo|go|setup|makefile|dockerfile|licen[cs]e|changelog|contributing)$/i;

/** Manifests, configuration and similar files at the top of a project. */
const isProjectSetup = ({ name, parsed, isTest }: SourceFile) =>
  /\.config\.[cm]?[jt]s$|^(setup|conftest)\.py$|^build\.rs$/.test(name) ||
  (!parsed && !isTest && (SETUP_FILES.test(name) || MEANINGLESS_NAMES.test(topicOf(name))));
const SETUP_FILES =
  /\.(ya?ml|json[c5]?|toml|xml|ini|cfg|conf|lock|mod|sum|work|properties|gradle|kts|txt)$|^\./;

function composedOfChildren(noun: string | undefined, children: SummaryClues["children"]): string {
  const names = children.map(({ name }) => name);
  const [first] = children;
  if (first === undefined) return "Source directory.";
  if (noun !== undefined) return sentence(`${noun}: ${listed(names, 5)}`);
  // A directory with a single child gets the child's summary.
  return children.length === 1 && first.summary !== ""
    ? first.summary
    : sentence(`Holds ${listed(names, 5)}`);
}

/** What at least half of the files are, if that says more than their language. */
function majority(sources: readonly SourceFile[]): string | undefined {
  const half = (test: (source: SourceFile) => boolean) => sources.filter(test).length * 2 >= sources.length;
  if (half(({ isTest }) => isTest)) return "Tests";
  if (half(({ name }) => /\.s?css$/.test(name))) return "Style sheets";
  if (half(({ name }) => name.endsWith(".sql"))) return "SQL";
  if (half(({ name }) => /\.(mdx?|rst|txt)$/.test(name))) return "Documents";
  return half(({ name }) => /\.(ya?ml|json|toml|xml)$/.test(name)) ? "Configuration and data" : undefined;
}

function languageNoun(sources: readonly SourceFile[]): string | undefined {
  const go = sources.find(({ parsed, isTest }) => parsed?.language === "go" && !isTest)?.parsed;
  if (go?.packageName) return go.packageName === "main" ? "Go program" : `Go package ${go.packageName}`;
  const names = sources.flatMap(({ name }) => languageName(name) ?? []);
  return names[0] === undefined ? undefined : `${names[0]} code`;
}

/** Public names, the most important first: those of the entry file, types and functions before constants, documented first. */
function publicNames(sources: readonly SourceFile[]): string[] {
  const passedOn = sources.flatMap((source) =>
    reExportsOf(source, sources).map(({ name = "" }) => ({ name, isFirst: isEntryFile(source) })),
  );
  const first = new Set(passedOn.filter(({ isFirst }) => isFirst).map(({ name }) => name));
  const weight = ({ name, kind, doc }: ParsedSymbol) =>
    (first.has(name) ? 0 : 4) + (kind === "const" || kind === "var" ? 2 : 0) + (hasWords(doc) ? 0 : 1);
  const declared = sources
    .flatMap(publicSymbols)
    .map((symbol) => ({ name: symbol.name, weight: weight(symbol) }))
    .sort((a, b) => a.weight - b.weight);
  return [...new Set([...declared, ...passedOn].map(({ name }) => name))].filter((name) => name !== "");
}

const topicOf = (name: string) => name.replace(/^test_/, "").replace(/([._-](test|spec)|\.d)?\.[^.]+$/, "");

function listed(names: readonly string[], most: number): string {
  if (names.length > most) return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
