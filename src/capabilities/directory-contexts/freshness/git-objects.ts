import type { GitOptions } from "../../../core/git/git.ts";
import { readObjects } from "../../../core/git/objects.ts";

/** Direct files of a directory in a commit: name → blob. */
export type Tree = ReadonlyMap<string, string>;

/** The direct files of each scope in the commit given for it, by one process. */
export async function readTrees(
  wanted: ReadonlyMap<string, string>,
  git: GitOptions,
): Promise<Map<string, Tree>> {
  // The batch protocol is by lines: a name with a newline cannot be asked for.
  const asked = [...wanted].filter(([scope]) => !scope.includes("\n"));
  const names = asked.map(([scope, commit]) => `${commit}:./${scope === "." ? "" : scope}`);
  const objects = await readObjects(names, git);
  return new Map(
    asked.flatMap(([scope], index) => {
      const object = objects[index];
      return object?.type === "tree" ? [[scope, parseTree(object.bytes, object.id.length / 2)] as const] : [];
    }),
  );
}

/** Entries are `mode SP name NUL id`, the id as raw bytes; links and directories are left out. */
function parseTree(bytes: Buffer, idLength: number): Tree {
  const files = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    const mode = bytes.toString("latin1", at, space);
    const id = bytes.toString("hex", end + 1, end + 1 + idLength);
    if (mode.startsWith("100")) files.set(bytes.toString("utf8", space + 1, end), id);
    at = end + 1 + idLength;
  }
  return files;
}
