import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest parent directory with a memory store or a git repository, as the team's memory finds it. */
export function projectRoot(from: string): string {
  for (let root = from; ; root = dirname(root)) {
    const store = statSync(join(root, ".context-teleport"), { throwIfNoEntry: false });
    if (store?.isDirectory() || existsSync(join(root, ".git"))) return root;
    if (dirname(root) === root) return from;
  }
}
