import { parseClass } from "./character-class.ts";
import { pushDirectories, pushStar, type WildcardInstruction, wildcardMatcher } from "./wildcard.ts";

type Verdict = "ignored" | "kept" | undefined;

/** The rules of one .gitignore file: the verdict on a path relative to its directory; `undefined` if no rule matches. */
export type IgnoreRules = (path: string, isDirectory: boolean) => Verdict;

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly directoriesOnly: boolean;
  readonly matches: (path: string, name: string) => boolean;
}

/** Git's own semantics, byte by byte: the last matching rule wins. */
export function parseGitignore(text: string): IgnoreRules {
  const rules = text
    .replace(/^\ufeff/, "")
    .split("\n")
    .flatMap((line) => parseRule(line.replace(/\r$/, "")))
    .reverse();
  return (path, isDirectory) => {
    const bytes = asBytes(path);
    const name = bytes.slice(bytes.lastIndexOf("/") + 1);
    const rule = rules.find((one) => (isDirectory || !one.directoriesOnly) && one.matches(bytes, name));
    if (rule === undefined) return undefined;
    return rule.isNegated ? "kept" : "ignored";
  };
}

function parseRule(line: string): IgnoreRule[] {
  if (line.startsWith("#")) return [];
  let pattern = withoutTrailingSpaces(line);
  const isNegated = pattern.startsWith("!");
  if (isNegated) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith("/");
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  if (pattern === "") return [];
  const isPath = pattern.includes("/");
  const matches = matcher(asBytes(pattern.replace(/^\//, "")), isPath);
  return [
    { isNegated, directoriesOnly, matches: isPath ? (path) => matches(path) : (_, name) => matches(name) },
  ];
}

/** A space after a backslash is kept. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === " ") continue;
    end = at + 1;
  }
  return line.slice(0, Math.min(end, line.length));
}

function matcher(pattern: string, isPath: boolean): (text: string) => boolean {
  if (!/[*?[\\]/.test(pattern)) return (text) => text === pattern;
  if (!isPath && /^\*[^*?[\\]+$/.test(pattern)) return (text) => text.endsWith(pattern.slice(1));
  const program = compile(pattern);
  return program === undefined ? () => false : wildcardMatcher(program);
}

/** `undefined` if the pattern is malformed: git matches nothing with it. */
function compile(pattern: string): WildcardInstruction[] | undefined {
  const program: WildcardInstruction[] = [];
  let at = 0;
  while (at < pattern.length) {
    const character = pattern[at];
    if (character === "*") at = compileStars(pattern, at, program);
    else if (character === "?") {
      program.push({ op: "any" });
      at++;
    } else if (character === "[") {
      const found = parseClass(pattern, at);
      if (!found) return undefined;
      program.push({ op: "class", has: found.has });
      at = found.end;
    } else {
      const from = character === "\\" ? at + 1 : at;
      if (from >= pattern.length) return undefined;
      program.push({ op: "character", code: pattern.charCodeAt(from) });
      at = from + 1;
    }
  }
  return program;
}

/**
 * `**` matches directories only if it stands alone between slashes; elsewhere it is a single star. Git compares the
 * literal prefix separately and then drops it, so the `**` of `a**` also counts as alone.
 */
function compileStars(pattern: string, at: number, program: WildcardInstruction[]): number {
  let end = at;
  while (pattern[end] === "*") end++;
  const isFirst = at === pattern.search(/[*?[\\]/);
  const isAlone = end - at >= 2 && (isFirst || pattern[at - 1] === "/");
  if (isAlone && pattern[end] === "/") {
    pushDirectories(program);
    return end + 1;
  }
  const isWhole = isAlone && (end === pattern.length || pattern.startsWith("\\/", end));
  pushStar(program, isWhole ? "everything" : "any");
  return end;
}

/** Git compares bytes, and `?` is one byte: each byte becomes one character. */
const asBytes = (text: string) => (/^[ -~]*$/.test(text) ? text : Buffer.from(text).toString("latin1"));
