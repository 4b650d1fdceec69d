import { type GitOptions, runGit } from "./git.ts";

interface ObjectHeader {
  readonly id: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}
interface GitObject extends ObjectHeader {
  readonly bytes: Buffer;
}

/** Type and size of each named object, in the given order, from one process; `undefined` for missing objects. */
export async function describeObjects(
  names: readonly string[],
  git: GitOptions,
): Promise<(ObjectHeader | undefined)[]> {
  const lines = (await catFile("--batch-check", names, git)).toString("utf8").split("\n");
  return names.map((_, index) => parseHeader(lines[index] ?? ""));
}

/** Like `describeObjects`, with the content. All of it is in memory at once. */
export async function readObjects(
  names: readonly string[],
  git: GitOptions,
): Promise<(GitObject | undefined)[]> {
  const output = await catFile("--batch", names, git);
  let at = 0;
  return names.map(() => {
    const end = output.indexOf("\n", at);
    // Git ended before it reached this object.
    if (end === -1) return undefined;
    const header = parseHeader(output.toString("utf8", at, end));
    at = end + 1;
    if (header === undefined) return undefined;
    const bytes = output.subarray(at, at + header.size);
    at += header.size + 1;
    return bytes.length === header.size ? { ...header, bytes } : undefined;
  });
}

interface BlobOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Blobs by id. Missing objects, other types and blobs larger than `maxBytes` are left out. */
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

async function catFile(how: "--batch" | "--batch-check", names: readonly string[], git: GitOptions) {
  if (names.length === 0) return Buffer.alloc(0);
  const { stdout } = await runGit(["cat-file", how], {
    ...git,
    input: names.map((name) => `${name}\n`).join(""),
  });
  return stdout;
}

/** Matches the whole line: for a missing object git prints its name, which may contain spaces and numbers. */
function parseHeader(line: string): ObjectHeader | undefined {
  const [, id, type, size] = /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(line) ?? [];
  return id === undefined || type === undefined ? undefined : { id, type, size: Number(size) };
}
