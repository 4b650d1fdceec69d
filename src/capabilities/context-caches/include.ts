import { DomainError } from "../../core/errors.ts";
import { isMarkdown } from "./sources.ts";

/** Which files a build takes: by default Markdown by the format's own rule, else what the patterns say; `!` excludes. */
export function includes(patterns: string | undefined): (path: string) => boolean {
  if (patterns === undefined) return isMarkdown;
  const all = splitOutsideBraces(patterns);
  const wanted = all.filter((pattern) => !pattern.startsWith("!")).map(expressionOf);
  const unwanted = all
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => expressionOf(pattern.slice(1)));
  if (wanted.length === 0)
    throw new DomainError("invalid_input", "--include needs a pattern such as '**/*.md,**/*.ts'.");
  return (path) =>
    wanted.some((pattern) => pattern.test(path)) && !unwanted.some((pattern) => pattern.test(path));
}

const splitOutsideBraces = (patterns: string): string[] =>
  patterns
    .split(/,(?![^{]*\})/)
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");

/** `**` crosses directories, `*` and `?` do not, `{a,b}` is either. */
function expressionOf(pattern: string): RegExp {
  const source = pattern.replace(
    /\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\/]/g,
    (found) => EXPRESSIONS[found] ?? `\\${found}`,
  );
  return new RegExp(`^${source}$`, "u");
}

const EXPRESSIONS: Readonly<Record<string, string>> = {
  "**/": "(?:[^/]+/)*",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
  "{": "(?:",
  "}": ")",
  ",": "|",
};
