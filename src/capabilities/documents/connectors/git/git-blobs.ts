import { DomainError } from "../../../../core/errors.ts";
import type { GitOptions } from "../../../../core/git/git.ts";
import { describeObjects, readObjects } from "../../../../core/git/objects.ts";
import { type Clone, fetchBlobs, runIn } from "./git-clone.ts";

const READ_DEADLINE_MS = 120_000;

/** The sizes of blobs that a commit names. Those the clone has not got are fetched first, all at once. */
export async function bringBlobs(
  clone: Clone,
  commit: string,
  oids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const absent = await absentBlobs(clone, commit);
  const missing = oids.filter((oid) => absent.has(oid));
  if (missing.length > 0) await fetchBlobs(clone, missing);
  const blobs = await describeObjects(oids, clone.git);
  return new Map(blobs.flatMap((blob) => (blob ? [[blob.id, blob.size] as const] : [])));
}

/** Asking for one of these by name would end git. */
async function absentBlobs(clone: Clone, commit: string): Promise<ReadonlySet<string>> {
  const output = await runIn(clone, ["rev-list", "--objects", "--missing=print", `${commit}^{tree}`]);
  return new Set([...output.toString("utf8").matchAll(/^\?([0-9a-f]+)$/gm)].map(([, oid]) => oid ?? ""));
}

/** Reads blobs; those asked for in one turn of the event loop share one git process. */
export function batchedBlobs(git: GitOptions): (oid: string) => Promise<Uint8Array> {
  let waiting: string[] = [];
  let batch: ReturnType<typeof readObjects> | undefined;
  return async (oid) => {
    const place = waiting.push(oid) - 1;
    batch ??= new Promise((settle, reject) => {
      setImmediate(() => {
        const oids = waiting;
        waiting = [];
        batch = undefined;
        readObjects(oids, { ...git, timeoutMs: READ_DEADLINE_MS }).then(settle, reject);
      });
    });
    const blob = (await batch)[place];
    if (blob) return blob.bytes;
    throw new DomainError("unavailable", `git has no content for ${oid}`);
  };
}
