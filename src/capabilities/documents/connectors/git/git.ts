import { basename, join, posix } from "node:path";
import { DomainError } from "../../../../core/errors.ts";
import type { GitOptions } from "../../../../core/git/git.ts";
import { describeObjects, readObjects } from "../../../../core/git/objects.ts";
import { LINK_MODE, parseTree, type TreeEntry } from "../../../../core/git/tree.ts";
import { once } from "../../../../core/lazy.ts";
import { formatOfPath, mediaTypeOf } from "../../formats/format.ts";
import { batched } from "../batched.ts";
import { type Connector, type Item, type ItemReading, tooLarge } from "../connector.ts";
import { pathMatcher } from "../path-matcher.ts";
import { type Clone, cloneName, fetchBlobs, fetchBranch, openClone, runIn, type Tip } from "./git-clone.ts";
import { cachedHistory, type FileHistory } from "./git-history.ts";
import { fileLink } from "./git-links.ts";
import { checkRemote, remoteOf } from "./git-remote.ts";

interface GitConnectorOptions {
  readonly label: string;
  readonly url: string;
  readonly branch: string;
  /** The directory of the repository that is read; paths are relative to it. */
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
  /** Fetch commits and trees, but only those contents that are read. */
  readonly shallow: boolean;
  readonly maxBytes: number;
  readonly settings: string;
  readonly project: string;
  /** Where clones are kept, in our own data directory. */
  readonly clones: string;
  /** For git alone, such as a header with a token. */
  readonly gitSettings?: GitOptions["settings"];
}

const READ_DEADLINE_MS = 120_000;

/** Files of a branch of a repository, read from our own clone. */
export function gitConnector(options: GitConnectorOptions): Connector {
  const remote = remoteOf(options);
  const directory = join(options.clones, cloneName(options));
  return {
    label: options.label,
    type: "git",
    // Reads of one turn share one git process.
    parallel: 64,
    check: (signal) => checkRemote(remote, signal),
    async list(signal) {
      const { gitSettings: settings = [] } = options;
      const clone = openClone(remote, directory, { signal, settings });
      const tip = await fetchBranch(clone, !options.shallow);
      return { items: await listFiles(clone, tip, options), problems: [] };
    },
  };
}

async function listFiles(clone: Clone, tip: Tip, options: GitConnectorOptions): Promise<Item[]> {
  const root = posix.normalize(options.root.replaceAll("\\", "/")).replace(/^(\.\/)+|\/+$/g, "");
  const prefix = root === "" || root === "." ? "" : `${root}/`;
  const files = await wantedFiles(clone, tip, { ...options, prefix });
  const history = await cachedHistory(clone.directory, { tip: tip.commit, root: prefix, git: clone.git });
  const oids = files.map(({ oid }) => oid);
  const sizes = once(() => fetchedSizes(clone, tip.commit, oids));
  const blobs = batched((wanted) => readObjects(wanted, { ...clone.git, timeoutMs: READ_DEADLINE_MS }));
  const read = async (oid: string) => {
    const blob = await blobs(oid);
    if (blob) return blob.bytes;
    throw new DomainError("unavailable", `git has no content for ${oid}`);
  };
  return files.map(({ oid, path }) => {
    const commits = history.get(path);
    // With the commit: restored content has another author and time.
    const stamp = `${oid}:${commits?.last.commit ?? ""}:${options.settings}`;
    return {
      sourceId: path.slice(prefix.length),
      stamp,
      read: async () => {
        const size = (await sizes()).get(oid) ?? 0;
        if (size > options.maxBytes) return tooLarge(options.maxBytes, stamp);
        return contentOf({ clone, stamp, path, tip, bytes: await read(oid), history: commits, options });
      },
    };
  });
}

async function wantedFiles(
  clone: Clone,
  tip: Tip,
  { prefix, ...options }: GitConnectorOptions & { readonly prefix: string },
): Promise<TreeEntry[]> {
  const isWanted = pathMatcher(options);
  const output = await runIn(clone, ["ls-tree", "-r", "-z", "--full-tree", tip.commit]);
  const below = parseTree(output.toString("utf8")).filter(({ path }) => path.startsWith(prefix));
  if (prefix !== "" && below.length === 0) {
    const { label, branch } = options;
    throw new DomainError("unavailable", `${label}: no directory ${prefix.slice(0, -1)} on branch ${branch}`);
  }
  return below.filter(
    ({ type, mode, path }) => type === "blob" && mode !== LINK_MODE && isWanted(path.slice(prefix.length)),
  );
}

interface GitFile {
  readonly clone: Clone;
  readonly stamp: string;
  readonly path: string;
  readonly tip: Tip;
  readonly bytes: Uint8Array;
  readonly history: FileHistory | undefined;
  readonly options: GitConnectorOptions;
}

function contentOf({ clone, stamp, path, tip, bytes, history, options }: GitFile): ItemReading {
  const format = formatOfPath(path);
  // The commit of the file, not of the branch: link and metadata stay the same until the file changes.
  const commit = history?.last.commit ?? tip.commit;
  return {
    kind: "content",
    bytes,
    format,
    contentType: mediaTypeOf(format),
    stamp,
    sourceUrl: fileLink(options.url, commit, path),
    title: basename(path),
    author: history?.last.author ?? null,
    createdAt: history?.first.time,
    updatedAt: history?.last.time,
    guessedAt: tip.time,
    metadata: { git_sha: commit, repo_url: clone.remote.shown },
    tags: options.tags,
  };
}

/** The sizes of blobs of a commit. Missing blobs are fetched first, all at once. */
async function fetchedSizes(
  clone: Clone,
  commit: string,
  oids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const missingInTree = await missingBlobs(clone, commit);
  const missing = oids.filter((oid) => missingInTree.has(oid));
  if (missing.length > 0) await fetchBlobs(clone, missing);
  const blobs = await describeObjects(oids, clone.git);
  return new Map(blobs.flatMap((blob) => (blob ? [[blob.id, blob.size] as const] : [])));
}

/** Asking git for one of these by name would end its process. */
async function missingBlobs(clone: Clone, commit: string): Promise<ReadonlySet<string>> {
  const output = await runIn(clone, ["rev-list", "--objects", "--missing=print", `${commit}^{tree}`]);
  return new Set([...output.toString("utf8").matchAll(/^\?([0-9a-f]+)$/gm)].map(([, oid]) => oid ?? ""));
}
