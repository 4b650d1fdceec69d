import { askGit, type GitOptions } from "../../../core/git/git.ts";
import { readObjects } from "../../../core/git/objects.ts";

/** A context file and what it says of the files it described. */
export interface WrittenContext {
  readonly scope: string;
  /** Relative to the root, with `/`. */
  readonly file: string;
  readonly fingerprint: string;
}

/** Where git is asked, and until when. */
export type GitPlace = Required<Pick<GitOptions, "cwd" | "signal">>;

/** How far back to look, in growing steps: most contexts were written lately. */
const PAGES = [200, 2_000, 20_000] as const;

export interface Repository {
  readonly head: string;
  readonly isShallow: boolean;
}

export async function repositoryAt(git: GitPlace): Promise<Repository | undefined> {
  const answer = await askGit(["rev-parse", "--is-shallow-repository", "HEAD"], git);
  const [shallow, head] = answer?.trim().split("\n") ?? [];
  return head === undefined ? undefined : { head, isShallow: shallow === "true" };
}

/**
 * The newest commit that gave each context its present fingerprint: the files as they were then are what it describes,
 * whatever else was edited in it later. A fingerprint that was never committed has none; nor has one that lies before
 * the cut of a shallow clone, where the first commit seems to write everything.
 */
export async function findWritings(
  repository: Repository,
  contexts: readonly WrittenContext[],
  git: GitPlace,
): Promise<Map<string, string>> {
  const wanted = new Map(contexts.map((context) => [context.file, context]));
  const found = new Map<string, string>();
  let skip = 0;
  for (const page of PAGES) {
    const commits = await readLog({ from: repository.head, skip, count: page }, git);
    const edits = commits.flatMap((commit) =>
      commit.edits.filter(({ file }) => wanted.has(file)).map((edit) => ({ ...edit, commit })),
    );
    const fingerprints = await readFingerprints(edits, git);
    for (const { file, before, after, commit } of edits) {
      const context = wanted.get(file);
      if (context === undefined || fingerprints.get(after) !== context.fingerprint) continue;
      if (before.some((blob) => fingerprints.get(blob) === context.fingerprint)) continue;
      wanted.delete(file);
      if (!(repository.isShallow && commit.isFirst)) found.set(context.scope, commit.id);
    }
    skip += page;
    if (wanted.size === 0 || commits.length < page) break;
  }
  return found;
}

interface Edit {
  readonly file: string;
  /** One blob for each parent. */
  readonly before: readonly string[];
  readonly after: string;
}
interface LoggedCommit {
  readonly id: string;
  readonly isFirst: boolean;
  readonly edits: readonly Edit[];
}

async function readLog(
  { from, skip, count }: { readonly from: string; readonly skip: number; readonly count: number },
  git: GitPlace,
): Promise<LoggedCommit[]> {
  const output = await askGit(
    [
      ...["log", `--max-count=${count}`, `--skip=${skip}`, "--format=%x01%H %P"],
      // Of a merge, what differs from all its parents: that was written there.
      ...["-c", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv"],
      ...["--relative", from, "--"],
    ],
    { ...git, timeoutMs: 60_000 },
  );
  return (output ?? "").split("\x01").slice(1).map(parseCommit);
}

/** `ID PARENTS \0 \n :mode mode old new status \0 path \0 :mode …`; a colon, a mode and an old blob for each parent. */
function parseCommit(block: string): LoggedCommit {
  const [head = "", ...rest] = block.split("\0");
  const [id = "", ...parents] = head.trim().split(" ");
  const edits: Edit[] = [];
  for (let at = 0; at < rest.length; at++) {
    const line = (rest[at] ?? "").trimStart();
    const count = /^:+/.exec(line)?.[0].length ?? 0;
    if (count === 0) continue;
    const blobs = line.split(" ").slice(count + 1, -1);
    edits.push({ file: rest[at + 1] ?? "", before: blobs.slice(0, count), after: blobs[count] ?? "" });
    at += 1;
  }
  return { id, isFirst: parents.filter((parent) => parent !== "").length === 0, edits };
}

/** How many blobs one process is asked for: their text is held at once. */
const BLOBS_AT_ONCE = 2_000;

/** The fingerprint that each version of a context carries, by blob. */
async function readFingerprints(
  edits: readonly Edit[],
  git: GitPlace,
): Promise<Map<string, string | undefined>> {
  const blobs = [...new Set(edits.flatMap(({ before, after }) => [...before, after]))];
  const found = new Map<string, string | undefined>();
  for (let from = 0; from < blobs.length; from += BLOBS_AT_ONCE) {
    const some = blobs.slice(from, from + BLOBS_AT_ONCE);
    const objects = await readObjects(some, git);
    for (const [index, blob] of some.entries()) {
      const object = objects[index];
      if (object?.type === "blob") found.set(blob, fingerprintIn(object.bytes.toString("utf8")));
    }
  }
  return found;
}

/** Found by its line, since old versions of a file may be of any kind; or by its key, where the file is one flow map. */
const fingerprintIn = (text: string): string | undefined =>
  (/^fingerprint:\s*["']?([^"'\s#]+)/m.exec(text) ?? /"fingerprint"\s*:\s*"([^"]+)"/.exec(text))?.[1];

/** How many paths fit one command line everywhere. */
const PATHS_AT_ONCE = 200;

/** Which of these paths are untracked and ignored. (`check-ignore` refuses to run with literal path names.) */
export async function ignoredAmong(paths: readonly string[], git: GitPlace): Promise<Set<string>> {
  const ignored = new Set<string>();
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
    const some = paths.slice(from, from + PATHS_AT_ONCE);
    const output = await askGit(
      ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", ...some],
      git,
    );
    for (const path of (output ?? "").split("\0")) ignored.add(path);
  }
  return ignored;
}
