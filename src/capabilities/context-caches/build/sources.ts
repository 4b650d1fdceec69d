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

/** The format's rule: the extension is exactly `md`; a file named `.md` has no extension. */
const isMarkdown = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.lastIndexOf(".") > 0 && name.endsWith(".md");
};

/** Which files a build takes: Markdown by default, else the patterns; `!` excludes. */
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
  /** Paths to skip: the cache itself and the temporary files of its build. */
  isSkipped(path: string): boolean;
  readonly signal: AbortSignal;
}

/**
 * Every included file below a directory, sorted by id. No file is ignored; one that cannot be read is an error that
 * names it. Linked files are read, linked directories are not entered.
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
    throw cacheFailure("io_error", { message: `Cannot read ${path}: it is not a regular file.` });
  try {
    const target = statSync(join(root, path));
    if (target.isFile() || target.isDirectory()) return target.isFile();
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
  throw cacheFailure("io_error", { message: `Cannot read ${path}: it does not lead to a regular file.` });
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

/** As in a shell: a leading `./` means nothing, and a directory means everything in it. */
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
