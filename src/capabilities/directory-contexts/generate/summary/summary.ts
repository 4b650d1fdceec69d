import { isTestDirectory } from "../../read/context-rules.ts";
import type { PackageManifest } from "../sources/manifests.ts";
import type { OwnPackage } from "../sources/own-package.ts";
import type { SourceFile } from "../sources/sources.ts";
import { commentSentences, fileDoc } from "./comments.ts";
import {
  describeByConstructor,
  describeByCount,
  describeByMembers,
  describeByPackage,
} from "./derived-summary.ts";
import { publicSymbols } from "./public-symbols.ts";
import { namesItself, readmeSentences, readmeTitle } from "./readme.ts";
import { descriptionIn } from "./sentences.ts";
import { sayingMoreThan } from "./words.ts";

export interface SummaryInput {
  readonly scope: string;
  readonly directoryName: string;
  readonly sources: readonly SourceFile[];
  readonly manifests: readonly PackageManifest[];
  /** Child directories that have a context of their own. */
  readonly children: readonly { readonly name: string; readonly summary: string }[];
  /** In a directory of tests: how many source files are below it. */
  readonly filesBelow?: number;
  /** The package that the directory belongs to. */
  readonly ownPackage?: OwnPackage | undefined;
  /** The file beside the directory with its name, such as `lib/orders.rb` for `lib/orders`. */
  readonly beside?: SourceFile | undefined;
  /** Whether no other directory has code of the package, tests and examples apart. */
  readonly isOnlyCode?: boolean;
  /** Whether the package has its code beside its manifest. */
  readonly isBelowCode?: boolean;
  /** What the README of the whole project says. */
  readonly projectReadme?: string;
  /** What the whole project is called. */
  readonly projectNames?: readonly string[];
  /** In a package of a workspace: what the manifest of the whole says. Packages may repeat it. */
  readonly projectDescription?: string;
  /** What the documents above the directory say about it. */
  readonly inDocuments?: string;
}

export interface SummaryResult {
  readonly text: string;
  /** False if it counts files or repeats names. Such a directory gets no context, unless something else requires one. */
  readonly isInformative: boolean;
}

/**
 * What a directory is for: the first of these sources that says more than the path. Each is a text that somebody wrote about
 * the whole directory; then what its files have in common, marked as derived; else a count.
 */
export function summarize(all: SummaryInput): SummaryResult {
  const input = { ...all, sources: all.sources.filter(({ isOutsidePackage }) => !isOutsidePackage) };
  const { scope, directoryName, ownPackage, projectNames = [], projectDescription = "" } = input;
  const isNew = sayingMoreThan([
    scope,
    directoryName,
    ownPackage?.name ?? "",
    projectDescription,
    ...projectNames,
  ]);
  const written: string[] = [];
  for (const source of scope === "." ? [...OF_THE_PACKAGE, ...WRITTEN] : WRITTEN) {
    const text = source(input);
    if (isNew(text)) return { text, isInformative: true };
    written.push(text);
  }
  const derived = describeByMembers(input) || describeByConstructor(input);
  if (isNew(derived)) return { text: derived, isInformative: true };
  const short = [...written, derived].find((text) => text !== "") ?? describeByCount(input);
  return { text: short, isInformative: false };
}

type WrittenSource = (input: SummaryInput) => string;

/** A README may begin with why such a thing is needed. A manifest says what it is, as does a README that names it. */
const OF_THE_PACKAGE: readonly WrittenSource[] = [
  (input) => {
    const said = ownReadme(input);
    return namesItself(said, ownNames(input)) ? said : "";
  },
  ({ manifests }) => manifestDescription(manifests),
  ownReadme,
];

const WRITTEN: readonly WrittenSource[] = [
  ({ sources }) => packageDoc(sources),
  ...OF_THE_PACKAGE,
  ({ inDocuments = "" }) => inDocuments,
  (input) => (isTestDirectory(input.scope) ? "" : docOfMainFile(input) || commandHelp(input)),
  ({ sources }) => readmeTitle(sources),
  describeByPackage,
];

const docOfMainFile = ({ sources, directoryName, beside }: SummaryInput) =>
  docOfEntry(sources, SCRIPT_ENTRIES) ||
  docOfNamesake(directoryName, sources) ||
  (beside && !isClassOfName(beside, directoryName) ? docOfNamesake(directoryName, [beside]) : "");

/** `lib/cask.rb` with a class `Cask` is about the class; what is in `lib/cask` are its parts. */
const isClassOfName = (source: SourceFile, directoryName: string) =>
  publicSymbols(source).some(
    ({ kind, name }) => kind === "class" && singular(name) === singular(directoryName),
  );

/** The README of a part may repeat that of the whole, or speak of the whole. */
function ownReadme(input: SummaryInput): string {
  const { scope, sources, projectReadme, projectNames = [] } = input;
  const own = ownNames(input);
  const said = readmeSentences(sources, own);
  if (scope === "." || said === "") return said;
  const [subject = "", verb = ""] = said.replace(/ \([^()]*\)/, "").split(" ");
  const isOfProject = projectNames.some(
    (name) =>
      singular(name) === singular(subject) &&
      !/['’]s$/.test(subject) &&
      !own.some((each) => singular(each) === singular(name)),
  );
  return said === projectReadme || (isOfProject && /^\p{Ll}/u.test(verb)) ? "" : said;
}

const ownNames = ({ directoryName, manifests }: SummaryInput) => [
  directoryName,
  // A module of Go is named by its address.
  ...manifests.flatMap(({ name }) => [name, name.replace(/^.*\//, "")]),
];

/** Files whose comment the language defines as that of the package, module or crate. */
const PACKAGE_DOCS = [
  /^doc\.go$/,
  /^__init__\.pyi?$/,
  /^package-info\.java$/,
  /^package\.scala$/,
  /^(lib|mod|main)\.rs$/,
];
const SCRIPT_ENTRIES = [/^index\.[cm]?[jt]sx?$/, /^mod\.[cm]?[jt]s$/, /^main\.go$/];

/** In Go, any file may have the package's comment. One that names another package is out of date. */
function packageDoc(sources: readonly SourceFile[]): string {
  const doc = docOfEntry(sources, PACKAGE_DOCS);
  if (doc !== "") return doc;
  const go = sources.find(
    ({ parsed, isTest, text }) =>
      !isTest &&
      parsed?.language === "go" &&
      /^(package|command) /i.test(parsed.doc) &&
      !namesAnother(parsed.doc, text),
  );
  return go ? fileDoc(go) : "";
}

function namesAnother(doc: string, text: string): boolean {
  const said = NAMED_PACKAGE.exec(doc)?.[1] ?? "";
  const declared = /^package (\w+)/m.exec(text)?.[1] ?? "main";
  return said !== "" && declared !== "main" && singular(said) !== singular(declared);
}
/** `Package provides …` has no name. */
const NAMED_PACKAGE =
  /^package (?!(?:is|has|provides|contains|implements|defines|includes|for|with)\b)(?:[\w.-]+\/)*([\w-]+)/i;

function docOfEntry(sources: readonly SourceFile[], patterns: readonly RegExp[]): string {
  for (const pattern of patterns) {
    const entry = sources.find(({ name }) => pattern.test(name));
    const doc = entry ? fileDoc(entry) : "";
    if (doc !== "") return doc;
  }
  return "";
}

/** Beside the manifest of another language, a package.json is for tools. */
const manifestDescription = (manifests: readonly PackageManifest[]) =>
  manifests
    .toSorted((a, b) => Number(a.kind === "npm") - Number(b.kind === "npm"))
    .map(({ name, description }) => (description === name ? "" : descriptionIn(description)))
    .find((text) => text !== "") ?? "";

/**
 * The comment of the file with the directory's name, or of the module in it: a module is a namespace. What is said of a class or
 * a function is true of that alone.
 */
function docOfNamesake(directoryName: string, sources: readonly SourceFile[]): string {
  const name = singular(directoryName);
  const file = sources.find(
    (source) => source.parsed && !source.isTest && singular(source.name.replace(/(\.d)?\.\w+$/, "")) === name,
  );
  if (!file) return "";
  const module = publicSymbols(file).find(
    (symbol) => symbol.kind === "module" && singular(symbol.name) === name,
  );
  return fileDoc(file) || commentSentences(module?.doc ?? "");
}

/** What a program built with cobra, for Go, prints about the command that the directory is named after. */
function commandHelp({ directoryName, sources }: SummaryInput): string {
  const helps = sources
    .filter(({ parsed, isTest }) => parsed?.language === "go" && !isTest)
    .flatMap(({ text }) => [...text.matchAll(COMMAND)])
    .flatMap(([, use = "", short = ""]) =>
      singular(use) === singular(directoryName) ? descriptionIn(short) : [],
    );
  const [help = ""] = helps;
  return help === "" || /[.!]$/.test(help) ? help : `${help}.`;
}
const COMMAND = /\bUse:\s*"([\w-]+)[^"\n]*",\n(?:\s*(?!Short\b)\w+:[^\n]*\n){0,3}\s*Short:\s*"([^"\n]+)"/g;

/** `Shop.Orders` is named by its last part. */
const singular = (name: string) =>
  name.replace(/^.*\./, "").replace(/\W|_/g, "").toLowerCase().replace(/s$/, "");
