import { runGit } from "../../core/git/git.ts";

/** Direct files of a directory in a commit: name → blob. */
export type Tree = ReadonlyMap<string, string>;

/** The direct files of each scope in the commit given for it, by one process. */
export async function readTrees(
  root: string,
  wanted: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Map<string, Tree>> {
  // The batch protocol is by lines: a name with a newline cannot be asked for.
  const asked = [...wanted].filter(([scope]) => !scope.includes("\n"));
  const objects = await readObjects(
    root,
    asked.map(([scope, commit]) => `${commit}:./${scope === "." ? "" : scope}`),
    signal,
  );
  return new Map(
    asked.flatMap(([scope], index) => {
      const object = objects[index];
      return object?.type === "tree" ? [[scope, parseTree(object.bytes, object.id.length / 2)] as const] : [];
    }),
  );
}

interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Objects by name in the order asked, by one process; `undefined` for what is not there. */
export async function readObjects(
  root: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<(GitObject | undefined)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join("");
  const { stdout } = await runGit(["cat-file", "--batch"], { cwd: root, input, signal });
  let at = 0;
  return names.map(() => {
    const end = stdout.indexOf(10, at);
    const [id = "", type = "", size] = stdout.toString("utf8", at, end).split(" ");
    at = end + 1;
    if (size === undefined || !/^\d+$/.test(size)) return undefined;
    const bytes = stdout.subarray(at, at + Number(size));
    at += bytes.length + 1;
    return { id, type, bytes };
  });
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
