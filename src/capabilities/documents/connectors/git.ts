import { mkdir } from "node:fs/promises";
import { basename, join, parse, posix } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { type GitOptions, runGit } from "../../../core/git/git.ts";
import { once } from "../../../core/lazy.ts";
import { formatOfPath, mediaTypeOf } from "../formats/format.ts";
import type { Connector, Item, Reading } from "./connector.ts";
import { absentBlobs, batchedBlobs, blobSizes } from "./git-blobs.ts";
import { cloneName } from "./git-clone-name.ts";
import { complaintOf, type FileHistory } from "./git-history.ts";
import { fileLink, withoutCredentials } from "./git-links.ts";
import { keptHistory } from "./kept-history.ts";
import { pathMatcher } from "./path-matcher.ts";

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

const FETCH_DEADLINE_MS = 600_000;
const CHECK_DEADLINE_MS = 10_000;
/** Asked from here, no repository's own configuration has a say. */
const OUTSIDE = parse(process.cwd()).root;

/** Files of a branch of a repository, read from a bare clone of ours: nothing is checked out, so nothing of it can run. */
export function gitConnector(options: GitConnectorOptions): Connector {
  const url = checkedUrl(options);
  const directory = join(options.clones, cloneName(options));
  const shown = withoutCredentials(options.url);
  return {
    label: options.label,
    type: "git",
    // Reads of one turn go to git together.
    parallel: 64,
    async check(signal) {
      try {
        const args = ["ls-remote", "--exit-code", "--heads", "--", url, `refs/heads/${options.branch}`];
        const network = { cwd: OUTSIDE, network: true, signal, timeoutMs: CHECK_DEADLINE_MS };
        const { code, stderr } = await runGit(args, network);
        if (code === 0) return { healthy: true, notes: `repo: ${shown}` };
        const why =
          code === 2 ? `no branch ${options.branch}` : complaintOf(stderr).replaceAll(options.url, shown);
        return { healthy: false, notes: `${shown}: ${why}` };
      } catch (thrown) {
        return { healthy: false, notes: thrown instanceof DomainError ? thrown.message : "git failed" };
      }
    },
    async list(signal) {
      const clone: Clone = {
        options,
        directory,
        url,
        shown,
        git: { cwd: directory, signal, env: { GIT_DIR: directory } },
      };
      const tip = await fetchBranch(clone);
      return { items: await listTree(clone, tip), problems: [] };
    },
  };
}

interface Clone {
  readonly options: GitConnectorOptions;
  readonly directory: string;
  readonly url: string;
  readonly shown: string;
  readonly git: GitOptions;
}

/** Options of git and its helpers that run programs are refused before git sees them. */
function checkedUrl({ label, url, branch, project }: GitConnectorOptions): string {
  const isPlain = /^(https?|ssh|file):\/\/[^-]/i.test(url) || /^[\w.-]+@[\w.-]+:(?!:)/.test(url);
  const isPath = /^(\.{0,2}\/|[A-Za-z]:[\\/])/.test(url);
  if (!isPlain && !isPath) {
    throw new DomainError("invalid_input", `${label}: not an address git may fetch from`, {
      reason: "not_configured",
    });
  }
  if (branch === "" || branch.startsWith("-") || /[\s:^~?*[\\]|\.\./.test(branch)) {
    throw new DomainError("invalid_input", `${label}: not a branch: ${branch}`, { reason: "not_configured" });
  }
  return isPath ? posix.resolve(project, url) : url;
}

interface Tip {
  readonly commit: string;
  /** Seconds since 1970. */
  readonly time: number;
}

async function fetchBranch(clone: Clone): Promise<Tip> {
  const { options, directory, git } = clone;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await must(clone, ["init", "--quiet", "--bare", directory], git);
  // Named, so that contents left out now can be asked of it later.
  await must(clone, ["config", "remote.origin.url", clone.url], git);
  const ref = `refs/heads/${options.branch}`;
  const filter = options.shallow ? ["--filter=blob:none"] : [];
  const args = ["fetch", "--quiet", "--no-tags", "--force", ...filter, "origin", `+${ref}:${ref}`];
  await must(clone, args, network(clone));
  const told = await must(clone, ["log", "-1", "--format=%H %ct", "--end-of-options", ref], git);
  const [commit = "", time] = told.toString("utf8").trim().split(" ");
  return { commit, time: Number(time) };
}

const network = (clone: Clone): GitOptions => ({
  ...clone.git,
  network: true,
  timeoutMs: FETCH_DEADLINE_MS,
});

async function must(clone: Clone, args: readonly string[], git: GitOptions): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(args, git);
  if (code === 0) return stdout;
  const why = complaintOf(stderr).replaceAll(clone.options.url, clone.shown);
  throw new DomainError("unavailable", `${clone.options.label}: ${why || "git failed"}`);
}

async function listTree(clone: Clone, tip: Tip): Promise<Item[]> {
  const { options } = clone;
  const root = posix.normalize(options.root.replaceAll("\\", "/")).replace(/^(\.\/)+|\/+$/g, "");
  const prefix = root === "" || root === "." ? "" : `${root}/`;
  const isWanted = pathMatcher(options);
  const output = await must(clone, ["ls-tree", "-r", "-z", "--full-tree", tip.commit], clone.git);
  const entries = output
    .toString("utf8")
    .split("\0")
    .map((line) => /^(\d+) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(line))
    // 120000 is a link: its content is a path, not a text.
    .filter((match) => match !== null && match[1] !== "120000")
    .map((match) => ({ oid: match?.[2] ?? "", path: match?.[3] ?? "" }))
    .filter(({ path }) => path.startsWith(prefix) && isWanted(path.slice(prefix.length)));
  if (prefix !== "" && entries.length === 0 && !output.includes(`\t${prefix}`)) {
    throw new DomainError(
      "unavailable",
      `${options.label}: no directory ${root} on branch ${options.branch}`,
    );
  }
  const history = await keptHistory(clone.directory, { tip: tip.commit, root: prefix, git: clone.git });
  const sizes = once(() => bringBlobs(clone, tip.commit, entries));
  const read = batchedBlobs(clone.git);
  return entries.map(({ oid, path }) => {
    const commits = history.get(path);
    // With the commit: the same content brought back has another author and time.
    const stamp = `${oid}:${commits?.last.commit ?? ""}:${options.settings}`;
    return {
      sourceId: path.slice(prefix.length),
      stamp,
      read: async () => {
        if (((await sizes()).get(oid) ?? 0) > options.maxBytes) {
          return { kind: "skipped", reason: `larger than ${options.maxBytes} bytes`, stamp };
        }
        return contentOf({ clone, stamp, path, tip, bytes: await read(oid), history: commits });
      },
    };
  });
}

/** The sizes of all that may be read. In a clone without contents, asks the remote for them once. */
async function bringBlobs(
  clone: Clone,
  tip: string,
  entries: readonly { readonly oid: string }[],
): Promise<ReadonlyMap<string, number>> {
  const oids = entries.map(({ oid }) => oid);
  const absent = await absentBlobs(tip, clone.git);
  const missing = oids.filter((oid) => absent.has(oid));
  if (missing.length > 0) {
    // We have the commits that name them, so a negotiation would come to the end that we have the contents too.
    await must(clone, ["config", "fetch.negotiationAlgorithm", "noop"], clone.git);
    try {
      const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no"];
      const input = missing.map((oid) => `${oid}\n`).join("");
      await must(clone, [...fetch, "--filter=blob:none", "--stdin", "origin"], { ...network(clone), input });
    } finally {
      await must(clone, ["config", "--unset-all", "fetch.negotiationAlgorithm"], clone.git);
    }
  }
  return blobSizes(oids, clone.git);
}

interface Blob {
  readonly clone: Clone;
  readonly stamp: string;
  readonly path: string;
  readonly tip: Tip;
  readonly bytes: Uint8Array;
  readonly history: FileHistory | undefined;
}

function contentOf({ clone, stamp, path, tip, bytes, history }: Blob): Reading {
  const { options } = clone;
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
    metadata: { git_sha: commit, repo_url: clone.shown },
    tags: options.tags,
  };
}
