import { posix } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { blobId } from "../../../core/git/blob-id.ts";
import { askGit, type GitOptions } from "../../../core/git/git.ts";
import { readObjects } from "../../../core/git/objects.ts";
import { sha256 } from "../../../core/hash.ts";
import { LruCache } from "../../../core/lru-cache.ts";
import { readBytes } from "../../../core/scan/read-text.ts";
import { CONTEXT_FILE } from "../schema.ts";

/** A context as it is on disk. */
interface WrittenContext {
  readonly scope: string;
  readonly fingerprint: string;
}

/** How many commits to look back for the one that wrote a context. */
const MAX_COMMITS = 20_000;
/** Git compares every commit with every path: beyond this many, reading all edits is faster. */
const MAX_PATHS = 50;
const DEADLINE_MS = 60_000;
/** Larger files count as changed if git says so. */
const MAX_HASHED_BYTES = 200_000_000;

/**
 * For each scope: whether the directory's own files differ from the commit that gave its context the present
 * fingerprint. A scope is absent if git cannot tell: no repository, no such commit, or git is missing or too slow.
 */
export type FindContentChanges = (
  root: string,
  contexts: readonly WrittenContext[],
  signal: AbortSignal,
) => Promise<Map<string, boolean>>;

/** What the commits say of a context: `undefined` if none of them wrote it. */
type KnownHistory = LruCache<{ readonly isChanged: boolean | undefined }>;
const MOST_KNOWN = 2_000;

/** What the history says of a context stays true until HEAD moves, so it is read once. */
export function openContentChanges(): FindContentChanges {
  const known: KnownHistory = new LruCache(MOST_KNOWN);
  return async (root, contexts, signal) => {
    if (contexts.length === 0) return new Map();
    const git = { cwd: root, signal, timeoutMs: DEADLINE_MS };
    try {
      const [answer, uncommitted] = await Promise.all([
        askGit(["rev-parse", "--is-shallow-repository", "HEAD"], git),
        directoriesWithUncommittedChanges(git),
      ]);
      const [shallow, head] = answer?.trim().split("\n") ?? [];
      if (head === undefined || uncommitted === undefined) return new Map();
      const committed = await committedChanges(contexts, { head, isShallow: shallow === "true", known }, git);
      return new Map(
        [...committed].map(([scope, isChanged]) => [scope, isChanged || uncommitted.has(scope)]),
      );
    } catch (thrown) {
      if (thrown instanceof DomainError && thrown.code === "unavailable") return new Map();
      throw thrown;
    }
  };
}

interface History {
  readonly head: string;
  readonly isShallow: boolean;
  readonly known: KnownHistory;
}

/** For each scope whose context was committed: whether its files differ in HEAD. */
async function committedChanges(
  contexts: readonly WrittenContext[],
  { head, isShallow, known }: History,
  git: GitOptions,
): Promise<Map<string, boolean>> {
  const keyOf = ({ scope, fingerprint }: WrittenContext) =>
    JSON.stringify([git.cwd, head, scope, fingerprint]);
  // A shallow clone may get more history under the same HEAD.
  const before = contexts.map((context) => ({
    context,
    history: isShallow ? undefined : known.get(keyOf(context)),
  }));
  const unknown = before.flatMap(({ context, history }) => (history === undefined ? [context] : []));
  const commits = await findWritingCommits(unknown, isShallow, git);
  const changed = await directoriesChangedSince(new Set(commits.values()), head, git);
  if (changed === undefined) return new Map();
  const historyOf = (context: WrittenContext) => {
    const commit = commits.get(context.scope);
    const history = {
      isChanged: commit === undefined ? undefined : changed.get(commit)?.has(context.scope) === true,
    };
    known.set(keyOf(context), history);
    return history;
  };
  return new Map(
    before.flatMap(({ context, history = historyOf(context) }) =>
      history.isChanged === undefined ? [] : [[context.scope, history.isChanged] as const],
    ),
  );
}

interface ContextEdit {
  readonly file: string;
  readonly commit: string;
  readonly hasParents: boolean;
  /** One blob for each parent. */
  readonly before: readonly string[];
  readonly after: string;
}

/**
 * The newest commit that gave each context its present fingerprint, by scope. Later edits of other fields do not
 * describe the files again. The first commit of a shallow clone seems to write everything, so it does not count.
 */
async function findWritingCommits(
  contexts: readonly WrittenContext[],
  isShallow: boolean,
  git: GitOptions,
): Promise<Map<string, string>> {
  if (contexts.length === 0) return new Map();
  const wanted = new Map(contexts.map((context) => [posix.join(context.scope, CONTEXT_FILE), context]));
  const paths = wanted.size <= MAX_PATHS ? [...wanted.keys()] : [];
  const edits = (await readEdits(paths, git)).filter(({ file }) => wanted.has(file));
  const fingerprints = await readFingerprints(edits, git);
  const found = new Map<string, string>();
  for (const { file, commit, before, after, hasParents } of edits) {
    const context = wanted.get(file);
    if (context === undefined || fingerprints.get(after) !== context.fingerprint) continue;
    if (before.some((blob) => fingerprints.get(blob) === context.fingerprint)) continue;
    wanted.delete(file);
    if (hasParents || !isShallow) found.set(context.scope, commit);
  }
  return found;
}

/** Every edit of these files, or of all files if none is named, newest first. */
async function readEdits(paths: readonly string[], git: GitOptions): Promise<ContextEdit[]> {
  const output = await askGit(
    // `-c`: of a merge, only files that differ from all parents. They were written in the merge.
    ["log", `--max-count=${MAX_COMMITS}`, "-c", "--raw", "--no-abbrev", ...BY_COMMIT, "HEAD", "--", ...paths],
    git,
  );
  return commitsIn(output).flatMap(({ ids: [commit = "", ...parents], records }) =>
    records.flatMap((record, at) => {
      // One colon, one mode and one blob for each parent, then those of the commit itself and the status.
      const parentCount = /^(:+)/.exec(record)?.[1]?.length;
      if (parentCount === undefined) return [];
      const blobs = record.split(" ").slice(parentCount + 1, -1);
      const [before, after = ""] = [blobs.slice(0, parentCount), blobs[parentCount]];
      return [{ file: records[at + 1] ?? "", commit, before, after, hasParents: parents.length > 0 }];
    }),
  );
}

const PATHS = ["-z", "--no-renames", "--relative"];
const BY_COMMIT = [...PATHS, "--format=%x01%H %P"];

const commitsIn = (output = "") =>
  output
    .split("\x01")
    .slice(1)
    .map((block) => {
      const [ids = "", ...records] = block.replace("\0\n", "\0").split("\0");
      return { ids: ids.trim().split(" ").filter(Boolean), records };
    });

/** The fingerprint in each version of a context, by blob. Old versions may not be valid, so it is found by its line. */
async function readFingerprints(edits: readonly ContextEdit[], git: GitOptions) {
  const blobs = [...new Set(edits.flatMap(({ before, after }) => [...before, after]))];
  const objects = await readObjects(blobs, git);
  return new Map(
    blobs.map((blob, index) => {
      const text = objects[index]?.bytes.toString("utf8") ?? "";
      return [blob, /^[\s{]*["']?fingerprint["']?\s*:\s*["']?([^"'\s#,}]+)/m.exec(text)?.[1]] as const;
    }),
  );
}

/** For each commit: the directories whose own files differ in HEAD. */
async function directoriesChangedSince(commits: ReadonlySet<string>, head: string, git: GitOptions) {
  if (commits.size === 0) return new Map<string, ReadonlySet<string>>();
  const output = await askGit(["diff-tree", "--stdin", "-r", "--name-only", ...BY_COMMIT], {
    ...git,
    input: [...commits].map((commit) => `${commit} ${head}\n`).join(""),
  });
  if (output === undefined) return undefined;
  return new Map(
    commitsIn(output).map(({ ids: [commit = ""], records }) => [commit, directoriesOf(records)] as const),
  );
}

async function directoriesWithUncommittedChanges(git: GitOptions): Promise<ReadonlySet<string> | undefined> {
  const [differences, untracked] = await Promise.all([
    askGit(["diff", "--raw", "--no-abbrev", ...PATHS, "HEAD", "--"], git),
    askGit(["ls-files", "-z", "--others", "--exclude-standard"], git),
  ]);
  if (differences === undefined || untracked === undefined) return undefined;
  const records = differences.split("\0");
  const changed = records.flatMap((record, at) => {
    const [, blob = "", status] = /^:\d+ \d+ (\w+) \w+ ([A-Z])$/.exec(record) ?? [];
    const path = records[at + 1] ?? "";
    const isChange = status !== undefined && !(status === "M" && isStoredAs(`${git.cwd}/${path}`, blob));
    return isChange ? [path] : [];
  });
  return directoriesOf([...changed, ...untracked.split("\0")]);
}

/**
 * Whether git would store this file as that blob, with Unix line ends or as the pointer that Git LFS stores. Git itself
 * is asked with all filters off, because a filter of the repository may be any program.
 */
function isStoredAs(file: string, blob: string): boolean {
  const read = readBytes(file, MAX_HASHED_BYTES);
  if (!("bytes" in read)) return false;
  const { bytes } = read;
  const unix = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(bytes)}\nsize ${bytes.length}\n`;
  return [bytes, unix, pointer].some((form) => blobId(form, blob.length) === blob);
}

const directoriesOf = (paths: readonly string[]): ReadonlySet<string> =>
  new Set(
    paths
      .filter((path) => path !== "" && posix.basename(path) !== CONTEXT_FILE)
      .map((path) => posix.dirname(path)),
  );
