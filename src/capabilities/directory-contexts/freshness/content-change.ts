import { posix } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { blobId } from "../../../core/git/blob-id.ts";
import { askGit, type GitOptions } from "../../../core/git/git.ts";
import { readObjects } from "../../../core/git/objects.ts";
import { sha256 } from "../../../core/hash.ts";
import { readBytes } from "../../../core/scan/read-text.ts";
import { CONTEXT_FILE } from "../schema.ts";

/** A context as it is on disk. */
interface WrittenContext {
  readonly scope: string;
  readonly fingerprint: string;
}

export type FindContentChanges = typeof findContentChanges;

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
export async function findContentChanges(
  root: string,
  contexts: readonly WrittenContext[],
  signal: AbortSignal,
): Promise<Map<string, boolean>> {
  if (contexts.length === 0) return new Map();
  const git = { cwd: root, signal, timeoutMs: DEADLINE_MS };
  try {
    const answer = await askGit(["rev-parse", "--is-shallow-repository", "HEAD"], git);
    const [shallow, head] = answer?.trim().split("\n") ?? [];
    if (head === undefined) return new Map();
    const commits = await findWritingCommits(contexts, shallow === "true", git);
    if (commits.size === 0) return new Map();
    const committed = await directoriesChangedSince(new Set(commits.values()), head, git);
    const uncommitted = await directoriesWithUncommittedChanges(git);
    if (committed === undefined || uncommitted === undefined) return new Map();
    return new Map(
      [...commits].map(([scope, commit]) => [
        scope,
        uncommitted.has(scope) || committed.get(commit)?.has(scope) === true,
      ]),
    );
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "unavailable") return new Map();
    throw thrown;
  }
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
  const differences = await askGit(["diff", "--raw", "--no-abbrev", ...PATHS, "HEAD", "--"], git);
  const untracked = await askGit(["ls-files", "-z", "--others", "--exclude-standard"], git);
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
