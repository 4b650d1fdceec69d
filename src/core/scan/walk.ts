import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { errnoOf } from "../errors.ts";

/** Never of interest, whatever a project without git says about them. */
const ALWAYS_SKIPPED = new Set([".git", ".hg", ".svn", "node_modules"]);

interface Rules {
  readonly base: string;
  readonly ignore: Ignore;
}

/** The files below a root that is no git repository, by its .gitignore files. Directories that cannot be read are left out. */
export async function walk(root: string, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const pending: { directory: string; rules: readonly Rules[] }[] = [{ directory: "", rules: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal?.throwIfAborted();
    const { directory } = next;
    const entries = await entriesOf(join(root, directory));
    const rules = [...next.rules, ...(await rulesOf(root, directory, entries))];
    for (const entry of entries) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (ALWAYS_SKIPPED.has(entry.name) || isIgnored(path, entry.isDirectory(), rules)) continue;
      if (entry.isDirectory()) pending.push({ directory: path, rules });
      if (entry.isFile()) found.push(path);
    }
  }
  return found;
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (thrown) {
    if (["EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(errnoOf(thrown) ?? "")) return [];
    throw thrown;
  }
}

async function rulesOf(root: string, base: string, entries: readonly Dirent[]): Promise<Rules[]> {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return [];
  const text = await readFile(join(root, base, ".gitignore"), "utf8").catch(() => "");
  return [{ base, ignore: ignore().add(text) }];
}

/** The innermost file that has an opinion wins, as in git. */
function isIgnored(path: string, isDirectory: boolean, rules: readonly Rules[]): boolean {
  for (const { base, ignore: matcher } of rules.toReversed()) {
    const relative = base === "" ? path : path.slice(base.length + 1);
    const verdict = matcher.test(isDirectory ? `${relative}/` : relative);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
