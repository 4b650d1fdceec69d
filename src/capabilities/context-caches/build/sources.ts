import { type Dirent, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { globFilter, type PathTest } from "../../../core/scan/glob.ts";
import { byUtf8, idOf } from "../document.ts";
import { cacheFailure } from "../failures.ts";

export interface CacheSource {
  /** Relative to the sources, with `/` and its own case. */
  readonly path: string;
  readonly id: string;
}

/** The format's own rule: the extension is exactly `md`, and a name that is nothing but `.md` has none. */
const isMarkdown = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.lastIndexOf(".") > 0 && name.endsWith(".md");
};

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

interface SourceRules {
  isIncluded(path: string): boolean;
  /** Not taken and not looked into: the cache itself and what its build puts beside it. */
  isSkipped(path: string): boolean;
  readonly signal: AbortSignal;
}

/**
 * Every included file below a directory, in the order of ids. Nothing is ignored and nothing is passed over: what
 * cannot be read is an error that names it. Linked files are read, linked directories are not entered.
 */
export async function findSources(root: string, rules: SourceRules): Promise<CacheSource[]> {
  const found: CacheSource[] = [];
  const pending = [""];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    rules.signal.throwIfAborted();
    for (const entry of await entriesOf(root, directory)) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (rules.isSkipped(join(root, path))) continue;
      if (entry.isDirectory()) pending.push(path);
      else if (rules.isIncluded(path) && isFile(root, path, entry)) found.push({ path, id: idOf(path) });
    }
  }
  found.sort((a, b) => byUtf8(a.id, b.id) || byUtf8(a.path, b.path));
  refuseDuplicateIds(found);
  return found;
}

async function entriesOf(root: string, directory: string): Promise<Dirent[]> {
  try {
    return await readdir(join(root, directory), { withFileTypes: true });
  } catch (thrown) {
    throw unreadable(directory || "the sources directory", thrown);
  }
}

function isFile(root: string, path: string, entry: Dirent): boolean {
  if (entry.isFile()) return true;
  if (!entry.isSymbolicLink())
    throw cacheFailure("io_error", { message: `Cannot read ${path}: it is no regular file.` });
  try {
    const target = statSync(join(root, path));
    if (target.isFile() || target.isDirectory()) return target.isFile();
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
  throw cacheFailure("io_error", { message: `Cannot read ${path}: it leads to no regular file.` });
}

export const unreadable = (what: string, cause: unknown) =>
  cacheFailure("io_error", { message: `Cannot read ${what} (${errnoOf(cause) ?? "unknown error"}).`, cause });

function refuseDuplicateIds(sorted: readonly CacheSource[]): void {
  for (const [place, { id, path }] of sorted.entries()) {
    const before = sorted[place - 1];
    if (before?.id === id)
      throw cacheFailure("cache_invalid", {
        message: `${before.path} and ${path} have the same id (${id}). Rename one of them.`,
      });
  }
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
