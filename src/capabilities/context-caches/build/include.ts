import { DomainError } from "../../../core/errors.ts";
import { globFilter, type PathTest } from "../../../core/scan/glob.ts";
import { isMarkdown } from "./sources.ts";

/** Which files a build takes: by default Markdown by the format's own rule, else what the patterns say; `!` excludes. */
export function includes(patterns: string | undefined): PathTest {
  if (patterns === undefined) return isMarkdown;
  const all = splitOutsideBraces(patterns);
  const wanted = all.filter((pattern) => !pattern.startsWith("!")).flatMap(asTyped);
  const unwanted = all.filter((pattern) => pattern.startsWith("!")).flatMap((each) => asTyped(each.slice(1)));
  if (wanted.length === 0)
    throw new DomainError("invalid_input", "--include needs a pattern such as '**/*.md,**/*.ts'.");
  return globFilter(wanted, unwanted);
}

/** As people type paths in a shell: `./` in front means nothing, and a directory means all that is in it. */
function asTyped(typed: string): string[] {
  const pattern = typed.replace(/^(\.\/+)+/, "").replace(/\/+$/, "");
  if (pattern === "" || pattern === ".") return ["**"];
  if (typed.endsWith("/")) return [`${pattern}/**`];
  return /[*?[{\\]/.test(pattern) ? [pattern] : [pattern, `${pattern}/**`];
}

function splitOutsideBraces(patterns: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of patterns) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + character);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
