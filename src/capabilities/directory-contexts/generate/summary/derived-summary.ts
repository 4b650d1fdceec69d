import { byCodeUnit } from "../../../../core/order.ts";
import { isTestDirectory } from "../../read/context-rules.ts";
import { languageName, type SourceFile } from "../sources/sources.ts";
import { commentSentences } from "./comments.ts";
import { describeMembers } from "./members/members.ts";
import { publicSymbols } from "./public-symbols.ts";
import { descriptionIn } from "./sentences.ts";
import type { SummaryInput } from "./summary.ts";
import { capital, readable, singularOf, wordsOf } from "./words.ts";

/** Marks a sentence that nobody wrote: it was put together from the files. */
const MARK = " (derived).";

/** What the files have in common. Never a list of names. Empty if it cannot be said. */
export function describeByMembers(input: SummaryInput): string {
  const { scope, sources, directoryName } = input;
  if (isTestDirectory(scope) || isOnlyTests(sources)) return "";
  const members = describeMembers(directoryName, sources);
  return members === "" ? "" : `${underTopic(members, input)}${MARK}`;
}

/**
 * In Go, `New` makes the type that its package is about. What is said of the type is said with its name: it may be true of that
 * alone.
 */
export function describeByConstructor({ sources }: SummaryInput): string {
  const symbols = sources.filter(({ parsed }) => parsed?.language === "go").flatMap(publicSymbols);
  const made = symbols.flatMap(({ kind, name, signature }) =>
    kind === "function" && name === "New" ? (MADE.exec(signature)?.[1] ?? []) : [],
  )[0];
  const type = symbols.find(({ kind, name }) => kind !== "function" && name === made);
  const [said = ""] = commentSentences(type?.doc ?? "").split(/(?<=[.!?])\s/);
  const [, rest] = new RegExp(`^(?:(?:An?|The) )?${made} ([a-z]+s .+?)[.!]?$`).exec(said) ?? [];
  return rest === undefined ? "" : `\`${made}\` ${rest}${MARK}`;
}
const MADE = /\)\s*\(?\*?([A-Z]\w*)(?:, error)?\)?\s*$/;

/** What can be counted, or what the directories below say. */
export function describeByCount(input: SummaryInput): string {
  const { scope, sources, children } = input;
  const [only] = children;
  const namesake = children.find(
    ({ name }) => scope === "." && name.replace(/^.*\//, "") === projectName(input),
  );
  if (namesake && namesake.summary !== "" && !namesake.summary.endsWith(MARK)) return namesake.summary;
  const isContainer = sources.every(isProjectSetup);
  if (isContainer && children.length === 1 && only?.summary) return only.summary;
  if (isTestDirectory(scope) || isOnlyTests(sources)) return testsOf(input);
  if (isContainer && children.length > 0)
    return `Code in ${counted(children.length, "directory", "directories")}${MARK}`;
  return `${counted(sources.length, fileKind(sources), `${fileKind(sources)}s`)}${MARK}`;
}

/** The directory with the code of a package, such as `src`, `lib/orders` or `src/Orders`, is described by the package. */
export function describeByPackage({ scope, ownPackage, isOnlyCode, isBelowCode }: SummaryInput): string {
  const described = descriptionIn(ownPackage?.description ?? "").replace(/[.!](\s.*)?$/, "");
  if (!ownPackage || described === "" || described === ownPackage.name || scope === ".") return "";
  if (ownPackage.scope === scope) return `${described}.`;
  const segments = (ownPackage.scope === "." ? scope : scope.slice(ownPackage.scope.length + 1)).split("/");
  const last = segments.at(-1) ?? "";
  const isNamed = wordsOf(last).join() === wordsOf(ownPackage.name.replace(/^.*\//, "")).join();
  const above = segments.slice(0, -1);
  // Beside `src`, the top may have anything. `src/lib` is a part of `src`.
  if (isBelowCode && segments[0] !== "src") return "";
  const isMain =
    isOnlyCode || (above.every(isCodeRoot) && (isNamed || (above.length === 0 && isCodeRoot(last))));
  return isMain ? `Source code of ${ownPackage.name}: ${described}${MARK}` : "";
}

const isCodeRoot = (name: string) => /^(src|lib|source|python|ruby)$/.test(name);

/** A workspace often has one package with its name. */
const projectName = ({ manifests, directoryName }: SummaryInput) =>
  manifests.find(({ name }) => name !== "")?.name ?? directoryName;

/** A few files may help the tests. */
const isOnlyTests = (sources: readonly SourceFile[]) =>
  sources.some(({ isTest }) => isTest) &&
  !sources.some(({ parsed, isTest, name }) => parsed && !isTest && !TEST_HELPER.test(name));
const TEST_HELPER = /^(__init__|conftest|.*(helper|support|fixture|mock|common)s?)\.\w+$/i;

function testsOf({ scope, sources, filesBelow = 0, ownPackage }: SummaryInput): string {
  const segments = scope.split("/");
  const last = segments.at(-1) ?? "";
  const at = segments.findIndex((name) => TEST_PLACE.test(name));
  // `unit` of `t/unit` and of `UnitTests`; `Shop.Core` of `Shop.Core.Tests`
  const named = /^(.+)[._-]tests?$/i.exec(last)?.[1];
  const words = wordsOf(last).filter((word) => !TEST_PLACE.test(word));
  const kind = at < 0 || named !== undefined || words.length > 1 ? [] : words;
  const files = [...kind, "test"].join(" ");
  const of =
    at < 0 ? scope : (named ?? testedBy(segments.slice(0, at + 1)) ?? shortName(ownPackage?.name ?? ""));
  return `${counted(sources.length + filesBelow, `${files} file`, `${files} files`)}${of === "" ? "" : ` for ${of}`}${MARK}`;
}

/** What is above a directory of tests; in Java, what is beside it. The top of a project has a better name. */
function testedBy(segments: readonly string[]): string | undefined {
  if (segments.join("/") === "src/test") return "src/main";
  const above = segments.slice(0, -1).join("/");
  return above === "" || above === "src" ? undefined : above;
}
/** A Go module is named after its last part. */
const shortName = (name: string) =>
  /^[\w-]+\.\w+\//.test(name) ? name.replace(/\/v\d+$/, "").replace(/^.*\//, "") : name;
const TEST_PLACE = /^t$|tests?$|^specs?$|^e2e$|^__tests__$/i;

/** Large numbers are rounded, so that a new file seldom changes the sentence. */
function counted(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return count > 20 ? `Over ${Math.floor((count - 1) / 10) * 10} ${many}` : `${count} ${many}`;
}

/** The directory's name before the text, if that adds a word. */
function underTopic(text: string, input: SummaryInput): string {
  const own = wordsOf(input.directoryName).map(singularOf);
  const isNamed = wordsOf(text).some((said) => own.some((word) => said.startsWith(word.slice(0, 5))));
  if (input.scope === "." || isCodeRoot(input.directoryName) || isNamed) return text;
  const start = /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
  const topic = capital(readable(wordsOf(input.directoryName)));
  return `${topic}: ${start.replace(/: (.*)$/, " ($1)")}`;
}

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
