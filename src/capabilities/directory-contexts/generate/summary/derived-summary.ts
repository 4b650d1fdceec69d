import { byCodeUnit } from "../../../../core/order.ts";
import { isTestDirectory } from "../../read/context-rules.ts";
import { parentOf } from "../../read/scan-directories.ts";
import { languageName, type SourceFile } from "../sources/sources.ts";
import { commentSentences, fileDoc } from "./comments.ts";
import { describeDirectoryName } from "./directory-names.ts";
import { publicSymbols } from "./public-symbols.ts";
import { firstSentences } from "./sentences.ts";
import type { SummaryClues } from "./summary.ts";

/** Marks a sentence that nobody wrote: it was put together from the files. */
const MARK = " (derived).";

/** What the files have in common, or what can be counted. Never a list of names. */
export function describeByFacts(clues: SummaryClues): string {
  const { scope, sources, children, directoryName } = clues;
  const [only] = children;
  const main = children.find(({ name }) => scope === "." && name.replace(/^.*\//, "") === projectName(clues));
  if (main && main.summary !== "" && !main.summary.endsWith(MARK)) return main.summary;
  // A directory with nothing but one child gets the child's summary.
  const isContainer = sources.every(isProjectSetup);
  const noun = scope === "." ? undefined : describeDirectoryName(directoryName);
  if (isContainer && children.length === 1 && noun === undefined && only?.summary) return only.summary;
  if (isTestDirectory(scope) || isOnlyTests(sources)) return testsOf(clues);
  if (isContainer && children.length > 0)
    return `${noun ?? "Code"} in ${counted(children.length, "directory", "directories")}${MARK}`;
  const files = counted(sources.length, fileKind(sources), `${fileKind(sources)}s`);
  const said = sentencesOf(clues);
  if (said.length > 0) return `${noun ?? topicOf(clues)}: ${said.join("; ")}${MARK}`;
  return `${noun === undefined ? files : `${noun} in ${files.replace(/^Over/, "over")}`}${about(clues)}${MARK}`;
}

/** The directory with the code of a package, such as `src`, `lib/orders` or `src/Orders`, is described by the package. */
export function describeByPackage({ scope, ownPackage }: SummaryClues): string {
  const described = firstSentences(ownPackage?.description ?? "").replace(/[.!](\s.*)?$/, "");
  if (!ownPackage || described === "" || scope === ".") return "";
  if (ownPackage.scope === scope) return `${described}.`;
  const way = (ownPackage.scope === "." ? scope : scope.slice(ownPackage.scope.length + 1)).split("/");
  const last = way.at(-1) ?? "";
  const isNamed = wordsOf(last).join() === wordsOf(ownPackage.name.replace(/^.*\//, "")).join();
  const isMain = way.slice(0, -1).every(isCodeRoot) && (isNamed || isCodeRoot(last));
  return isMain ? `Source code of ${ownPackage.name}: ${described}${MARK}` : "";
}

const isCodeRoot = (name: string) => /^(src|lib|source|python|ruby)$/.test(name);

/** A workspace often has one package with its name. */
const projectName = ({ manifests, directoryName }: SummaryClues) =>
  manifests.find(({ name }) => name !== "")?.name ?? directoryName;

const isOnlyTests = (sources: readonly SourceFile[]) =>
  sources.some(({ isTest }) => isTest) && !sources.some(({ parsed, isTest }) => parsed && !isTest);

function testsOf({ scope, sources, filesBelow = 0, directoryName, ownPackage }: SummaryClues): string {
  const parent = isTestDirectory(scope) ? parentOf(scope) : scope;
  const tested = isTestDirectory(scope) && parent === "src" ? "src/main" : parent;
  const project = ownPackage ? ` for ${ownPackage.name}` : "";
  const of = parent === "." || directoryName === "" ? project : ` for ${tested}`;
  return `${counted(sources.length + filesBelow, "test file", "test files")}${of}${MARK}`;
}

/** Large numbers are rounded, so that a new file seldom changes the sentence. */
function counted(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return count > 20 ? `Over ${Math.floor((count - 1) / 10) * 10} ${many}` : `${count} ${many}`;
}

/** The two sentences that say most of what the files share: comments of files before those of types, and types before functions. */
function sentencesOf(clues: SummaryClues): string[] {
  const { sources } = clues;
  const common = new Set(commonWords(clues));
  const code = sources.filter(({ isTest, parsed }) => parsed && !isTest);
  const candidates = code
    .flatMap((source) => {
      const symbols = publicSymbols(source)
        .filter(({ kind }) => kind !== "const" && kind !== "var")
        .map(({ doc, kind }) => ({
          text: clause(commentSentences(doc)),
          weight: kind === "function" || kind === "method" ? 0 : 2,
          from: source.name,
        }));
      return [{ text: clause(fileDoc(source)), weight: 3, from: source.name }, ...symbols];
    })
    .filter(({ text }) => text !== "");
  const ranked = candidates
    .map((each) => ({
      ...each,
      score: each.weight + wordsOf(each.text).filter((word) => common.has(word)).length,
    }))
    .sort((a, b) => b.score - a.score || byCodeUnit(a.text, b.text));
  const distinct = ranked.filter(({ text }, at) => ranked.findIndex((each) => each.text === text) === at);
  const [first] = distinct;
  const second = distinct.find(({ from }) => from !== first?.from) ?? distinct[1];
  // One function does not stand for a directory, and one type does not stand for many files.
  if (first === undefined || (second === undefined && (first.weight === 0 || code.length > 3))) return [];
  const texts = [first, ...(second ? [second] : [])].map(({ text }) => text);
  return code.length > texts.length ? [...texts, "and more"] : texts;
}

/** A short first sentence without its full stop; empty if it says little by itself. */
function clause(sentence: string): string {
  const first = (/^.+?[.!?:](?=\s|$)/.exec(sentence)?.[0] ?? sentence).replace(/[.!:]+$/, "");
  const length = first.split(" ").length;
  if (length < 4 || length > 18 || first.endsWith("..") || !/^[\p{L}`]/u.test(first) || UNTOLD.test(first))
    return "";
  return first;
}
const UNTOLD =
  /\b(we|our|you|your|deprecated|todo|fixme|xxx|hack|internal|see also|this (is|method|function|test)|returns? (true|false|the|a|an)|getter|setter|constructor|for backwards?|companion object|do not|based on|use specific|i\.e|e\.g|whitelist holds|extends|additional fields)\b|[?;{}<>|=$]|\/\/|@__|^(see|note|alias|same as|if|when|default)\b/i;

const topicOf = (clues: SummaryClues) => {
  const { directoryName, scope } = clues;
  const common = commonWords(clues).slice(0, 2);
  const name = scope === "." ? "" : wordsOf(directoryName).join(" ");
  return capital(name.length > 2 ? name : common.join(" and ")) || "Code";
};

function about(clues: SummaryClues): string {
  const words = commonWords(clues).slice(0, 3);
  if (words.length < 2) return "";
  return ` about ${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * Words in the names of many of the files and their exports, the most frequent first. Parts of the path and of the package's
 * name say nothing new.
 */
function commonWords({ sources, scope, ownPackage }: SummaryClues): string[] {
  const own = `${scope} ${ownPackage?.name ?? ""}`.toLowerCase();
  const code = sources.filter(({ parsed, isTest }) => parsed && !isTest);
  const names = code.flatMap((source) => [
    source.name.replace(/\.\w+$/, ""),
    ...publicSymbols(source).map(({ name }) => name),
  ]);
  const counts = new Map<string, number>();
  for (const name of names)
    for (const word of new Set(wordsOf(name))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(
      ([word, count]) =>
        count >= Math.max(3, names.length / 20) &&
        word.length > 2 &&
        !EMPTY_WORDS.has(word) &&
        !own.includes(word),
    )
    .sort(([a, most], [b, more]) => more - most || byCodeUnit(a, b))
    .map(([word]) => word);
}

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "get set new the and for with from has is are this that type types util utils index main mod default base impl all make create add init test tests func function class interface abstract exception error errors option options value values params data not non str int".split(
    " ",
  ),
);

const wordsOf = (text: string) =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `Go file`, or `file` if the files have no language in common. */
function fileKind(sources: readonly SourceFile[]): string {
  const counts = new Map<string, number>();
  for (const { name, parsed } of sources) {
    const language = parsed && languageName(name);
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([a, most], [b, more]) => more - most || byCodeUnit(a, b));
  return best && best[1] * 2 > sources.length ? `${best[0]} file` : "file";
}

/** Manifests, configuration and similar files at the top of a project. */
const isProjectSetup = ({ name, parsed, isTest }: SourceFile) =>
  /\.config\.[cm]?[jt]s$|^(setup|conftest)\.py$|^build\.rs$/.test(name) ||
  (!parsed && !isTest && (SETUP_FILES.test(name) || COMMON_FILES.test(name)));
const SETUP_FILES =
  /\.(ya?ml|json[c5]?|toml|xml|ini|cfg|conf|lock|mod|sum|work|properties|gradle|kts|txt)$|^\./;
const COMMON_FILES = /^(readme|makefile|dockerfile|licen[cs]e|changelog|contributing)\b/i;
