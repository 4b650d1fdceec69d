import { basename, join, posix } from "node:path";
import { DomainError } from "../../../../core/errors.ts";
import { LINK_MODE, parseTree, type TreeEntry } from "../../../../core/git/tree.ts";
import { once } from "../../../../core/lazy.ts";
import { formatOfPath, mediaTypeOf } from "../../formats/format.ts";
import { type Connector, type Item, type ItemReading, tooLarge } from "../connector.ts";
import { pathMatcher } from "../path-matcher.ts";
import { batchedBlobs, bringBlobs } from "./git-blobs.ts";
import { type Clone, fetchBranch, openClone, runIn, type Tip } from "./git-clone.ts";
import { cloneName } from "./git-clone-name.ts";
import type { FileHistory } from "./git-history.ts";
import { fileLink } from "./git-links.ts";
import { checkRemote, remoteOf } from "./git-remote.ts";
import { keptHistory } from "./kept-history.ts";

export interface GitConnectorOptions {
  readonly label: string;
  readonly url: string;
  readonly branch: string;
  /** The directory of the repository that is read; paths are relative to it. */
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
  /** Fetch commits and trees, and of the files' contents only those that are read. */
  readonly shallow: boolean;
  readonly maxBytes: number;
  readonly settings: string;
  readonly project: string;
  /** Where clones are kept, in our own data directory. */
  readonly clones: string;
}

/** Files of a branch of a repository, read from a clone of ours. */
export function gitConnector(options: GitConnectorOptions): Connector {
  const remote = remoteOf(options);
  const directory = join(options.clones, cloneName(options));
  return {
    label: options.label,
    type: "git",
    // Reads of one turn go to git together.
    parallel: 64,
    check: (signal) => checkRemote(remote, signal),
    async list(signal) {
      const clone = openClone(remote, directory, signal);
      const tip = await fetchBranch(clone, !options.shallow);
      return { items: await listFiles(clone, tip, options), problems: [] };
    },
  };
}

async function listFiles(clone: Clone, tip: Tip, options: GitConnectorOptions): Promise<Item[]> {
  const root = posix.normalize(options.root.replaceAll("\\", "/")).replace(/^(\.\/)+|\/+$/g, "");
  const prefix = root === "" || root === "." ? "" : `${root}/`;
  const files = await wantedFiles(clone, tip, { ...options, prefix });
  const history = await keptHistory(clone.directory, { tip: tip.commit, root: prefix, git: clone.git });
  const oids = files.map(({ oid }) => oid);
  const sizes = once(() => bringBlobs(clone, tip.commit, oids));
  const read = batchedBlobs(clone.git);
  return files.map(({ oid, path }) => {
    const commits = history.get(path);
    // With the commit: the same content brought back has another author and time.
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

interface File {
  readonly clone: Clone;
  readonly stamp: string;
  readonly path: string;
  readonly tip: Tip;
  readonly bytes: Uint8Array;
  readonly history: FileHistory | undefined;
  readonly options: GitConnectorOptions;
}

function contentOf({ clone, stamp, path, tip, bytes, history, options }: File): ItemReading {
  const format = formatOfPath(path);
  // The commit of the file itself: its link and its metadata stay the same until the file changes.
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
