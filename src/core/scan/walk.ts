import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../errors.ts";
import { type IgnoreRules, parseGitignore } from "./gitignore.ts";

/** Always skipped in a project without git. */
const ALWAYS_SKIPPED = new Set([".git", ".hg", ".svn", "node_modules"]);

interface IgnoreFile {
  readonly base: string;
  readonly verdict: IgnoreRules;
}
interface WalkedTree {
  readonly files: string[];
  /** Relative to the root; the root itself is "". */
  readonly directories: string[];
}

/** The files below a root that is not a git repository, filtered by its .gitignore files. */
export const walk = async (root: string, signal?: AbortSignal): Promise<string[]> =>
  (await walkTree(root, signal)).files;

/** Files and directories that are not ignored. Links are not followed; directories that cannot be read are left out. */
export async function walkTree(root: string, signal?: AbortSignal): Promise<WalkedTree> {
  const files: string[] = [];
  const directories: string[] = [];
  const pending: { directory: string; rules: readonly IgnoreFile[] }[] = [{ directory: "", rules: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal?.throwIfAborted();
    const { directory } = next;
    directories.push(directory);
    const entries = await entriesOf(join(root, directory));
    const rules = [...next.rules, ...(await rulesOf(root, directory, entries))];
    for (const entry of entries) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (ALWAYS_SKIPPED.has(entry.name) || isIgnored(path, entry.isDirectory(), rules)) continue;
      if (entry.isDirectory()) pending.push({ directory: path, rules });
      if (entry.isFile()) files.push(path);
    }
  }
  return { files, directories };
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (thrown) {
    if (["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(errnoOf(thrown) ?? "")) return [];
    throw thrown;
  }
}

async function rulesOf(root: string, base: string, entries: readonly Dirent[]): Promise<IgnoreFile[]> {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return [];
  const text = await readFile(join(root, base, ".gitignore"), "utf8").catch(() => "");
  return [{ base, verdict: parseGitignore(text) }];
}

/** The innermost .gitignore with a matching rule wins, as in git. */
function isIgnored(path: string, isDirectory: boolean, rules: readonly IgnoreFile[]): boolean {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule === undefined) continue;
    const relative = rule.base === "" ? path : path.slice(rule.base.length + 1);
    const verdict = rule.verdict(relative, isDirectory);
    if (verdict !== undefined) return verdict === "ignored";
  }
  return false;
}
