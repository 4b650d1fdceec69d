import { isAbsolute } from "node:path";
import { runGit } from "../../../../core/git/git.ts";
import { firstLines, refused, type SyncRepository } from "./repository.ts";

/** What git's ignore rules say about the store. */
export interface IgnoredFiles {
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

/** The user's own ignore file is outside the project, and its path is not the caller's business. */
const fileNamed = (source: string) => (isAbsolute(source) ? "your global ignore file" : source);
