import { DomainError } from "../../../../core/errors.ts";
import { type GitOptions, runGit } from "../../../../core/git/git.ts";

export interface Commit {
  readonly hash: string;
  readonly author: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly message: string;
  readonly files: readonly TouchedFile[];
}
interface TouchedFile {
  /** Added, removed, modified or renamed, as git names it. */
  readonly kind: "A" | "D" | "M" | "R";
  /** For a rename `from -> to`. */
  readonly path: string;
}

const READ_DEADLINE_MS = 120_000;
const FORMAT = "--format=%x01%H%x00%an%x00%ct%x00%B%x00";

/** These commits, in order, from one git process; `undefined` for one that git lacks. */
export async function readCommits(
  hashes: readonly string[],
  git: GitOptions,
): Promise<readonly (Commit | undefined)[]> {
  const log = async (withFiles: readonly string[]) => {
    const args = ["log", "--no-walk=unsorted", "--stdin", "--root", "-z", "--no-color", FORMAT, ...withFiles];
    const input = hashes.map((hash) => `${hash}\n`).join("");
    return runGit(args, { ...git, input, timeoutMs: READ_DEADLINE_MS });
  };
  // Only exact renames: others would compare contents, which a partial clone may lack. It may lack trees too.
  const listed = await log(["--name-status", "-M100%"]);
  const { code, stdout } = listed.code === 0 ? listed : await log([]);
  if (code !== 0) throw new DomainError("unavailable", "git cannot read the commits");
  const commits = new Map(parseCommits(stdout.toString("utf8")).map((commit) => [commit.hash, commit]));
  return hashes.map((hash) => commits.get(hash));
}

function parseCommits(output: string): Commit[] {
  return output
    .split("\u0001")
    .slice(1)
    .map((record) => {
      const [hash = "", author = "", time, message = "", ...fields] = record.split("\0");
      return { hash, author, time: Number(time), message: message.trim(), files: filesOf(fields) };
    });
}

/** Pairs of kind and path; a rename has two paths. */
function filesOf(fields: readonly string[]): TouchedFile[] {
  const files: TouchedFile[] = [];
  const rest = fields.map((field) => field.replace(/^\n+/, "")).filter((field) => field !== "");
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const [kind, path] = [rest[at]?.[0], rest[at + 1] ?? ""];
    if (kind === "R" || kind === "C") {
      files.push({ kind: "R", path: `${path} -> ${rest[at + 2] ?? ""}` });
      at += 1;
    } else files.push({ kind: kind === "A" || kind === "D" ? kind : "M", path });
  }
  return files;
}
