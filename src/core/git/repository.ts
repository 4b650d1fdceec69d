import { askGit, runGit, safeRevision } from "./git.ts";

export interface Repository {
  /** The top of the working tree. */
  readonly top: string;
  readonly gitDir: string;
  /** The git directory all worktrees share. */
  readonly commonDir: string;
}
export interface TreeEntry {
  /** Relative to the repository's top. */
  readonly path: string;
  readonly mode: string;
  readonly type: "blob" | "commit";
  readonly oid: string;
}

/** The repository whose working tree holds `path`, if there is one git trusts. */
export async function repositoryOf(path: string): Promise<Repository | undefined> {
  const asked = ["--show-toplevel", "--git-dir", "--git-common-dir"];
  const answer = await askGit(["rev-parse", "--path-format=absolute", ...asked], { cwd: path });
  const [top, gitDir, commonDir] = answer?.split("\n") ?? [];
  if (!top || !gitDir || !commonDir) return undefined;
  return { top, gitDir, commonDir };
}

/** The commit checked out, or `undefined` before the first. */
export async function headOf(cwd: string): Promise<string | undefined> {
  return (await askGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { cwd }))?.trim();
}

/** Every file of a commit under `path` (default: all), or `undefined` where there is no such commit. */
export async function treeAt(cwd: string, commit: string, path = ""): Promise<TreeEntry[] | undefined> {
  const under = path === "" ? [] : [path];
  const output = await askGit(["ls-tree", "-r", "-z", "--full-tree", safeRevision(commit), "--", ...under], {
    cwd,
  });
  return output?.split("\0").flatMap((line) => {
    const match = /^(\d{6}) (blob|commit) ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (!match) return [];
    const [, mode = "", type, oid = "", name = ""] = match;
    return [{ path: name, mode, type: type === "commit" ? "commit" : "blob", oid } as const];
  });
}

interface BlobOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Blobs by id, in one process; those that are missing, no blob, or larger than `maxBytes` are left out. */
export async function readBlobs(
  cwd: string,
  oids: readonly string[],
  { maxBytes = 10_000_000, signal }: BlobOptions = {},
): Promise<Map<string, Buffer>> {
  const options = { cwd, ...(signal && { signal }) };
  const wanted = [...new Set(oids)].filter((oid) => /^[0-9a-f]{40,64}$/.test(oid));
  const check = await runGit(["cat-file", "--batch-check"], { ...options, input: `${wanted.join("\n")}\n` });
  const small = check.stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      const [oid = "", type, size] = line.split(" ");
      return type === "blob" && Number(size) <= maxBytes ? [oid] : [];
    });
  if (small.length === 0) return new Map();
  const { stdout } = await runGit(["cat-file", "--batch"], { ...options, input: `${small.join("\n")}\n` });
  return parseBatch(stdout);
}

function parseBatch(output: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [oid = "", type, size] = output.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    blobs.set(oid, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}
