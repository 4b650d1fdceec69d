import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../../../core/errors.ts";
import { writeFileAtomic } from "../../../../core/files/atomic-write.ts";
import { type GitOptions, runGit } from "../../../../core/git/git.ts";
import { sha256 } from "../../../../core/hash.ts";
import { parseJson } from "../../../../core/json.ts";

const FileCommit = z.object({
  commit: z.string(),
  author: z.string(),
  time: z.number().describe("Seconds since 1970"),
});
/** The commits that touched a file last and first. */
const FileHistory = z.object({ last: FileCommit, first: FileCommit });
export type FileHistory = z.output<typeof FileHistory>;

const CachedHistory = z.object({ tip: z.string(), files: z.array(z.tuple([z.string(), FileHistory])) });

const HISTORY_DEADLINE_MS = 300_000;

/** The history below `root`, read once per tip: every sync needs it, and a long one takes time. */
export async function cachedHistory(
  clone: string,
  { tip, root, git }: { readonly tip: string; readonly root: string; readonly git: GitOptions },
): Promise<ReadonlyMap<string, FileHistory>> {
  const file = join(clone, `contextful-history-${sha256(root).slice(0, 12)}.json`);
  // A missing or damaged file is read from git again.
  const cached = CachedHistory.safeParse(parseJson(await readFile(file, "utf8").catch(() => "")));
  if (cached.success && cached.data.tip === tip) return new Map(cached.data.files);
  const history = await readHistory(tip, root, git);
  await writeFileAtomic(file, JSON.stringify({ tip, files: [...history] }));
  return history;
}

/**
 * The first and last commit of every path below `root` up to `tip`, from one `git log`. Empty if the history is too long
 * to be read: then the last commit of the branch is used.
 */
async function readHistory(
  tip: string,
  root: string,
  options: GitOptions,
): Promise<ReadonlyMap<string, FileHistory>> {
  // -c lists only what a merge itself changed. Renames count as deletions and additions.
  const format = "--format=%x01%H%x00%an%x00%ct%x00";
  const args = ["log", "-c", "--root", "--name-only", "-z", "--no-renames", "--no-color", format, tip, "--"];
  const paths = root === "" ? [] : [root];
  const output = await runGit([...args, ...paths], { ...options, timeoutMs: HISTORY_DEADLINE_MS }).catch(
    (thrown: unknown) => {
      if (thrown instanceof DomainError) return undefined;
      throw thrown;
    },
  );
  return output?.code === 0 ? parseHistory(output.stdout.toString("utf8")) : new Map();
}

function parseHistory(output: string): ReadonlyMap<string, FileHistory> {
  const history = new Map<string, FileHistory>();
  for (const record of output.split("\u0001")) {
    const [commit, author = "", time, ...paths] = record.split("\0");
    if (commit === undefined || commit === "") continue;
    const entry = { commit, author, time: Number(time) };
    for (const raw of paths) {
      const path = raw.replace(/^\n+/, "");
      // The newest commit comes first.
      if (path !== "") history.set(path, { last: history.get(path)?.last ?? entry, first: entry });
    }
  }
  return history;
}
