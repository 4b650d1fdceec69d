import { DomainError } from "../../../core/errors.ts";
import { type GitOptions, runGit } from "../../../core/git/git.ts";

/** What the tree of a commit names and a clone without contents has not got; asking for one by name would end git. */
export async function absentBlobs(commit: string, git: GitOptions): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit(["rev-list", "--objects", "--missing=print", `${commit}^{tree}`], git);
  return new Set([...stdout.toString("utf8").matchAll(/^\?([0-9a-f]+)$/gm)].map(([, oid]) => oid ?? ""));
}

export async function blobSizes(
  oids: readonly string[],
  git: GitOptions,
): Promise<ReadonlyMap<string, number>> {
  if (oids.length === 0) return new Map();
  const { stdout } = await runGit(["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    ...git,
    input: oids.map((oid) => `${oid}\n`).join(""),
  });
  const lines = stdout.toString("utf8").trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [oid = "", size = ""] = line.split(" ");
      return [oid, Number(size)];
    }),
  );
}

/** Reads blobs; those asked for in one turn of the event loop share one git process. */
export function batchedBlobs(git: GitOptions): (oid: string) => Promise<Uint8Array> {
  let waiting: string[] = [];
  let batch: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
  return async (oid) => {
    waiting.push(oid);
    batch ??= new Promise((settle, reject) => {
      setImmediate(() => {
        const oids = waiting;
        waiting = [];
        batch = undefined;
        readBlobs(oids, git).then(settle, reject);
      });
    });
    const bytes = (await batch).get(oid);
    if (bytes) return bytes;
    throw new DomainError("unavailable", `git has no content for ${oid}`);
  };
}

async function readBlobs(oids: readonly string[], git: GitOptions): Promise<ReadonlyMap<string, Uint8Array>> {
  const { stdout } = await runGit(["cat-file", "--batch"], {
    ...git,
    input: oids.map((oid) => `${oid}\n`).join(""),
    timeoutMs: 120_000,
  });
  const blobs = new Map<string, Uint8Array>();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0x0a, at);
    if (end === -1) break;
    const [oid = "", type, size] = stdout.toString("utf8", at, end).split(" ");
    at = end + 1;
    if (type === "missing" || size === undefined) continue;
    blobs.set(oid, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}
