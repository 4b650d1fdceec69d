import { askGit, safeRevision } from "./git.ts";
import { describeObjects, readObjects } from "./objects.ts";

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
  return output === undefined ? undefined : parseTree(output);
}

/** What `ls-tree -r -z` printed. */
export const parseTree = (output: string): TreeEntry[] =>
  output.split("\0").flatMap((line) => {
    const match = /^(\d{6}) (blob|commit) ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (!match) return [];
    const [, mode = "", type, oid = "", name = ""] = match;
    return [{ path: name, mode, type: type === "commit" ? "commit" : "blob", oid } as const];
  });

interface BlobOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Blobs by id, all at once; those that are missing, no blob, or larger than `maxBytes` are left out. */
export async function readBlobs(
  cwd: string,
  oids: readonly string[],
  { maxBytes = 10_000_000, signal }: BlobOptions = {},
): Promise<Map<string, Buffer>> {
  const git = { cwd, ...(signal && { signal }) };
  const wanted = [...new Set(oids)].filter((oid) => /^[0-9a-f]{40,64}$/.test(oid));
  const small = (await describeObjects(wanted, git)).flatMap((found) =>
    found?.type === "blob" && found.size <= maxBytes ? [found.id] : [],
  );
  const blobs = await readObjects(small, git);
  return new Map(blobs.flatMap((blob) => (blob ? [[blob.id, blob.bytes] as const] : [])));
}
