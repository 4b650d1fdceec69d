import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * A value that changes when HEAD moves, read from .git without spawning git. `undefined` if there is no repository,
 * or if it stores its references in a form that is not read here.
 */
export function headStamp(root: string): string | undefined {
  const own = gitDirectory(root);
  const head = own && textOf(join(own, "HEAD"))?.trim();
  if (!own || !head) return undefined;
  const branch = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (branch === undefined) return /^[0-9a-f]{40,64}$/.test(head) ? head : undefined;
  // What reftable writes here for programs that cannot read it.
  if (branch === "refs/heads/.invalid" || branch.includes("..")) return undefined;
  const shared = resolve(own, textOf(join(own, "commondir"))?.trim() ?? ".");
  const loose = textOf(join(shared, branch)) ?? statOf(join(shared, "packed-refs"));
  return [head, loose, statOf(join(shared, "shallow"))].join("\n");
}

/** `.git` in this directory or above: a directory, or in a worktree a file that names one. */
function gitDirectory(from: string): string | undefined {
  for (let at = resolve(from); ; at = dirname(at)) {
    const git = join(at, ".git");
    const stat = statSync(git, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return git;
    const named = stat?.isFile() ? /^gitdir: (.+)$/m.exec(textOf(git) ?? "")?.[1] : undefined;
    if (named !== undefined) return resolve(at, named);
    if (dirname(at) === at) return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function statOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : "";
}
