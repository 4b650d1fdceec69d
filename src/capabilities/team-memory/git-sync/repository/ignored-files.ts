import { isAbsolute } from "node:path";
import { runGit } from "../../../../core/git/git.ts";
import type { FileIds } from "../../merge/store-merge.ts";
import { FOLDER, KINDS, LOCAL_METADATA, metadataFile } from "../../store/layout.ts";
import { openSidecars, printRows } from "../../store/sidecar.ts";
import { commitChanges } from "../../store/transaction.ts";
import { firstLines, refused, type SyncRepository } from "./repository.ts";

/** What git's ignore rules say about the store. */
interface IgnoredFiles {
  /** Paths within the store. */
  readonly paths: ReadonlySet<string>;
  /** The rule that ignores the whole store, such as `.gitignore:3: .context-teleport/`. */
  readonly storeRule: string | undefined;
}

/**
 * Asks git which of the store's untracked files it ignores. A path in the index is tracked and never ignored.
 * If git cannot answer, nothing is synced: an ignored file must not be published.
 */
export async function findIgnored(
  { top, prefix }: SyncRepository,
  untracked: readonly string[],
): Promise<IgnoredFiles> {
  const asked = [prefix, ...untracked.map((path) => `${prefix}/${path}`)];
  const { code, stdout, stderr } = await runGit(["check-ignore", "-v", "-z", "--stdin"], {
    cwd: top,
    input: `${asked.join("\0")}\0`,
  });
  // 1 means that no path is ignored.
  if (code > 1) throw refused(`git check-ignore: ${firstLines(stderr)}`);
  const fields = stdout.toString("utf8").split("\0");
  const rules = new Map<string, string>();
  for (let index = 0; index + 3 < fields.length; index += 4) {
    const [source = "", line = "", pattern = "", path = ""] = fields.slice(index, index + 4);
    // A rule with `!` takes the path back in.
    if (!pattern.startsWith("!")) rules.set(path, `${fileNamed(source)}:${line}: ${pattern}`);
  }
  return {
    paths: new Set(untracked.filter((path) => rules.has(`${prefix}/${path}`))),
    storeRule: rules.get(prefix),
  };
}

/**
 * Moves the metadata of entries that git ignores into the local file, so that no commit names them. Rows of removed
 * entries move too. Call it under the lock.
 */
export async function moveIgnoredMetadata(
  repository: SyncRepository,
  directory: string,
  committed: FileIds,
): Promise<void> {
  const sidecars = openSidecars(directory);
  const shared = KINDS.flatMap((kind) => {
    const file = metadataFile(FOLDER[kind]);
    return [...sidecars.read(file).rows].map(([key, row]) => ({
      file,
      key,
      row,
      path: `${FOLDER[kind]}/${key}`,
    }));
  });
  const uncommitted = shared.filter(({ path }) => !committed.has(path));
  if (uncommitted.length === 0) return;
  const ignored = await findIgnored(
    repository,
    uncommitted.map(({ path }) => path),
  );
  const moved = uncommitted.filter(({ path }) => ignored.paths.has(path));
  if (moved.length === 0 || ignored.storeRule !== undefined) return;
  const local = sidecars.read(LOCAL_METADATA);
  if (local.problem !== undefined) throw refused(`${local.problem}. Repair it, then sync again.`);
  const rows = new Map([...local.rows, ...moved.map(({ path, row }) => [path, row] as const)]);
  const changed = [...new Set(moved.map(({ file }) => file))].map((file) => {
    const gone = new Set(moved.filter((one) => one.file === file).map(({ key }) => key));
    const kept = [...sidecars.read(file).rows].filter(([key]) => !gone.has(key));
    return { path: file, content: kept.length === 0 ? undefined : printRows(new Map(kept)) };
  });
  await commitChanges(directory, [{ path: LOCAL_METADATA, content: printRows(rows) }, ...changed]);
}

/** The user's own ignore file is outside the project, and its path is not the caller's business. */
const fileNamed = (source: string) => (isAbsolute(source) ? "your global ignore file" : source);
