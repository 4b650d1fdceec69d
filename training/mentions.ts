import type { TrainingPair } from "./mine-package.ts";
import { asQuestion } from "./query.ts";
import type { ArchivedFile } from "./read-archive.ts";

/** Something of the package that a README, a changelog or a test can name. */
export type MentionedCode = Pick<TrainingPair, "language" | "name" | "signature" | "code">;

const PROSE = /(^|\/)[^/]*\.(md|rst|markdown)$|(^|\/)(README|CHANGELOG|CHANGES|HISTORY|NEWS)[^/]*$/i;
const HISTORY = /(^|\/)(CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?)[^/]*$/i;
const TEST =
  /(_test\.go|\.(test|spec)\.[cm]?[jt]sx?|(^|\/)test_[^/]*\.py|Tests?\.(java|cs|php|kt|scala)|_(spec|test)\.(rb|exs))$|(^|\/)(tests?|specs?|__tests__)\/.*\.(rs|py|js|ts|rb|php|java|kt|cs)$/i;
const NOT_OURS =
  /(^|\/)(_?vendor(ed|_packages)?|externals?|extern|bundled|node_modules|third[_-]?party|fixtures?|testdata|debian)\//i;
const TEST_NAME =
  /\b(?:func\s+Test|def\s+test_|fn\s+|function\s+test_?|void\s+|fun\s+`?)([A-Za-z_][\w ]{6,120})`?\s*\(|\b(?:it|test|specify|scenario)\s*\(?\s*(["'`])([^"'`\n]{12,160})\2/g;
const MOST_SECTIONS = 60;
const MOST_OF_A_NAME = 3;
const MAX_PROSE = 1_500;

export const isProse = (path: string): boolean =>
  PROSE.test(path) && !NOT_OURS.test(path) && !/debian|licen[cs]e|conduct/i.test(path);
export const isTest = (path: string): boolean => TEST.test(path) && !NOT_OURS.test(path);

/** Questions from what surrounds the code: README sections, lines of a changelog, names of tests. */
export function mentionPairs(
  files: readonly ArchivedFile[],
  declared: readonly MentionedCode[],
): TrainingPair[] {
  const byName = uniqueByName(declared);
  const prose = files.filter(({ path }) => isProse(path));
  const used = new Map<string, number>();
  return [
    ...prose.filter(({ path }) => !HISTORY.test(path)).flatMap(({ text }) => sectionPairs(text, byName)),
    ...prose.filter(({ path }) => HISTORY.test(path)).flatMap(({ text }) => changePairs(text, byName)),
    ...testPairs(
      files.filter(({ path }) => isTest(path)),
      byName,
    ),
  ].filter(({ kind, name }) => {
    const key = `${kind} ${name}`;
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    return times <= (kind === "section" ? MOST_SECTIONS : MOST_OF_A_NAME);
  });
}

/** A name that is declared twice, or that is a common word, does not say what is meant. */
function uniqueByName(declared: readonly MentionedCode[]): Map<string, MentionedCode> {
  const byName = new Map<string, MentionedCode>();
  const twice = new Set<string>();
  for (const code of declared) {
    if (code.name.length < 8 && !/[a-z0-9][A-Z]|[a-z]_[a-z]/.test(code.name)) continue;
    if (byName.has(code.name)) twice.add(code.name);
    byName.set(code.name, code);
  }
  for (const name of twice) byName.delete(name);
  return byName;
}

/** A heading asks for its section, and a section's prose asks for the code that it names. */
function sectionPairs(text: string, byName: ReadonlyMap<string, MentionedCode>): TrainingPair[] {
  const sections = text
    .replace(/\r/g, "")
    .replace(/^([^\n]{3,80})\n(={3,}|-{3,}|~{3,})$/gm, "## $1")
    .split(/^(?=#{1,5} )/m);
  return sections.flatMap((section): TrainingPair[] => {
    const [first = "", ...lines] = section.split("\n");
    const heading = first.startsWith("#") ? plain(first.replace(/^#+\s*/, "")) : "";
    const body = lines.join("\n").trim();
    const prose = plain(body.replace(/```[\s\S]*?(```|$)/g, " "));
    const pairs: TrainingPair[] = [];
    const title = asQuestion(heading, "", 2);
    if (title !== undefined && prose.length > 80) {
      const code = prose.slice(0, MAX_PROSE);
      pairs.push({
        kind: "section",
        language: "prose",
        name: "",
        query: title,
        rest: "",
        signature: "",
        code,
      });
    }
    for (const code of namedIn(body, byName).slice(0, 4)) {
      const sentence =
        prose.split(/(?<=[.!?:])\s+/).find((part) => part.includes(code.name)) ?? prose.slice(0, 240);
      const query = asQuestion(`${heading}: ${sentence}`, code.name, 4);
      if (query !== undefined) pairs.push({ kind: "readme", ...code, query, rest: "" });
    }
    return pairs;
  });
}

function changePairs(text: string, byName: ReadonlyMap<string, MentionedCode>): TrainingPair[] {
  return [...text.matchAll(/^\s*[-*+] ((?:[^\n]|\n {2,}(?![-*+] ))+)/gm)]
    .slice(0, 400)
    .flatMap(([, line = ""]) => {
      const [code] = namedIn(line, byName);
      const query =
        code && asQuestion(plain(line).replace(/\(?#\d+\)?|\[?[0-9a-f]{7,40}\]?/g, ""), code.name, 4);
      return query === undefined || !code ? [] : [{ kind: "change" as const, ...code, query, rest: "" }];
    });
}

/** What a test is called asks for what only this test, or few others, call. */
function testPairs(
  files: readonly ArchivedFile[],
  byName: ReadonlyMap<string, MentionedCode>,
): TrainingPair[] {
  const tests = files.flatMap(({ text }) => testsIn(text.slice(0, 200_000)));
  const called = tests.map(({ body }) =>
    [...new Set([...body.matchAll(/\b([A-Za-z_]\w{3,})\s*[(!]/g)].map(([, name = ""]) => name))].filter(
      (name) => byName.has(name),
    ),
  );
  const times = new Map<string, number>();
  for (const name of called.flat()) times.set(name, (times.get(name) ?? 0) + 1);
  const timesOf = (name: string) => times.get(name) ?? 0;
  return tests.flatMap(({ name }, at) => {
    const [rarest] = (called[at] ?? []).toSorted((a, b) => timesOf(a) - timesOf(b));
    const code = rarest === undefined ? undefined : byName.get(rarest);
    if (!code || timesOf(code.name) > 5) return [];
    const query = asQuestion(name, code.name, 3);
    return query === undefined ? [] : [{ kind: "test" as const, ...code, query, rest: "" }];
  });
}

function testsIn(text: string): { readonly name: string; readonly body: string }[] {
  const found = [...text.matchAll(TEST_NAME)];
  return found.map(({ 1: identifier, 3: sentence, index, 0: whole }, at) => ({
    name: sentence ?? wordsOfIdentifier(identifier ?? ""),
    body: text.slice(index + whole.length, Math.min(found[at + 1]?.index ?? text.length, index + 2_000)),
  }));
}

const wordsOfIdentifier = (name: string): string =>
  name
    .replace(/^test_?/i, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/_+/g, " ")
    .toLowerCase()
    .trim();

/** Names of the package between backticks, or in calls of a code block. */
function namedIn(text: string, byName: ReadonlyMap<string, MentionedCode>): MentionedCode[] {
  const names = [...text.matchAll(/`{1,2}[^`\n]*?([A-Za-z_]\w{2,})(?:\([^`\n]*\))?`|\b([A-Za-z_]\w{3,})\(/g)];
  return [...new Set(names.map(([, quoted, called]) => quoted ?? called ?? ""))].flatMap(
    (name) => byName.get(name) ?? [],
  );
}

const plain = (text: string): string =>
  text
    .replace(/!\[[^\]]*\]\([^)]*\)|<[^>]{1,200}>|https?:\S+/g, " ")
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/[`*|]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
