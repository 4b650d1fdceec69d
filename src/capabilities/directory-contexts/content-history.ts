import { askGit, runGit } from "../../core/git/git.ts";

/** A context file and the git blobs that its content may be. */
export interface WrittenContext {
  readonly scope: string;
  /** Relative to the root, with `/`. */
  readonly file: string;
  readonly blobs: readonly string[];
}
/** Direct files of a directory in a commit: name → blob. */
export type Tree = ReadonlyMap<string, string>;

/** How far back to look, in growing steps: most contexts were written lately. */
const PAGES = [200, 2_000, 20_000] as const;

export interface Repository {
  readonly head: string;
  readonly isShallow: boolean;
}

export async function repositoryAt(root: string, signal: AbortSignal): Promise<Repository | undefined> {
  const answer = await askGit(["rev-parse", "--is-shallow-repository", "HEAD"], { cwd: root, signal });
  const [shallow, head] = answer?.trim().split("\n") ?? [];
  return head === undefined ? undefined : { head, isShallow: shallow === "true" };
}

/**
 * The newest commit that wrote each context as it stands now. Contexts that were never committed as they are have none;
 * nor have those whose writing lies before the cut of a shallow clone, where the first commit seems to write everything.
 */
export async function findWritings(
  root: string,
  repository: Repository,
  contexts: readonly WrittenContext[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = new Map(contexts.map((context) => [context.file, context]));
  const found = new Map<string, string>();
  let skip = 0;
  for (const page of PAGES) {
    const commits = await readLog(root, { from: repository.head, skip, count: page }, signal);
    for (const { id, isFirst, writings } of commits) {
      for (const [file, blob] of writings) {
        const context = wanted.get(file);
        if (!context?.blobs.includes(blob)) continue;
        wanted.delete(file);
        if (!(repository.isShallow && isFirst)) found.set(context.scope, id);
      }
    }
    skip += page;
    if (wanted.size === 0 || commits.length < page) break;
  }
  return found;
}

interface LoggedCommit {
  readonly id: string;
  readonly isFirst: boolean;
  readonly writings: readonly (readonly [file: string, blob: string])[];
}

async function readLog(
  root: string,
  { from, skip, count }: { readonly from: string; readonly skip: number; readonly count: number },
  signal: AbortSignal,
): Promise<LoggedCommit[]> {
  const output = await askGit(
    [
      ...[
        "log",
        `--max-count=${count}`,
        `--skip=${skip}`,
        "--format=%x01%H %P",
        "--raw",
        "-z",
        "--no-abbrev",
      ],
      ...["--no-renames", "--no-ext-diff", "--no-textconv", "--relative", from, "--"],
    ],
    { cwd: root, signal, timeoutMs: 60_000 },
  );
  return (output ?? "").split("\x01").slice(1).map(parseCommit);
}

/** `ID PARENTS \0 \n :mode mode old new status \0 path \0 :mode …`, as `-z` and `--raw` print it. */
function parseCommit(block: string): LoggedCommit {
  const [head = "", ...rest] = block.split("\0");
  const [id = "", ...parents] = head.trim().split(" ");
  const writings: [string, string][] = [];
  for (let at = 0; at < rest.length; at++) {
    const [, , , blob = "", status = ""] = (rest[at] ?? "").trimStart().split(" ");
    if (status === "") continue;
    writings.push([rest[at + 1] ?? "", blob]);
    at += 1;
  }
  return { id, isFirst: parents.filter((parent) => parent !== "").length === 0, writings };
}

/** The direct files of each scope in the commit given for it, by one process. */
export async function readTrees(
  root: string,
  wanted: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Map<string, Tree>> {
  // The batch protocol is by lines: a name with a newline cannot be asked for.
  const asked = [...wanted].filter(([scope]) => !scope.includes("\n"));
  if (asked.length === 0) return new Map();
  const input = asked.map(([scope, commit]) => `${commit}:./${scope === "." ? "" : scope}\n`).join("");
  const { stdout } = await runGit(["cat-file", "--batch"], { cwd: root, input, signal });
  const trees = new Map<string, Tree>();
  let at = 0;
  for (const [scope] of asked) {
    const end = stdout.indexOf(10, at);
    const [id = "", type, size] = stdout.toString("utf8", at, end).split(" ");
    at = end + 1;
    if (type !== "tree") continue;
    trees.set(scope, parseTree(stdout.subarray(at, at + Number(size)), id.length / 2));
    at += Number(size) + 1;
  }
  return trees;
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

/** How many paths fit one command line everywhere. */
const PATHS_AT_ONCE = 200;

/** Which of these paths are untracked and ignored. (`check-ignore` refuses to run with literal path names.) */
export async function ignoredAmong(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const ignored = new Set<string>();
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
    const some = paths.slice(from, from + PATHS_AT_ONCE);
    const output = await askGit(
      ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", ...some],
      { cwd: root, signal },
    );
    for (const path of (output ?? "").split("\0")) ignored.add(path);
  }
  return ignored;
}
