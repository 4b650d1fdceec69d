import { basename, resolve } from "node:path";
import { DomainError } from "../../../../core/errors.ts";
import { askGit, type GitOptions } from "../../../../core/git/git.ts";
import { batched } from "../batched.ts";
import type { Connector, Item, ItemReading } from "../connector.ts";
import { commitLink } from "../git/git-links.ts";
import { type Commit, readCommits } from "./read-commits.ts";

interface CommitsOptions {
  readonly label: string;
  /** As configured; relative to the project. */
  readonly root: string;
  readonly project: string;
  readonly maxCommits: number;
  readonly tags: readonly string[];
  readonly settings: string;
}

const LIST_DEADLINE_MS = 60_000;

/** The newest commits of a repository: each message with the files it touched. */
export function commitsConnector(options: CommitsOptions): Connector {
  const cwd = resolve(options.project, options.root);
  return {
    label: options.label,
    type: "commits",
    // Reads of one turn share one git process.
    parallel: 256,
    async check(signal) {
      const head = await askGit(["rev-parse", "--verify", "--quiet", "HEAD"], { cwd, signal }).catch(
        () => undefined,
      );
      if (head !== undefined) return { healthy: true, notes: `at commit ${head.trim().slice(0, 12)}` };
      return { healthy: false, notes: "not a git repository with a commit" };
    },
    async list(signal) {
      const git: GitOptions = { cwd, signal };
      const prefix = await askGit(["rev-parse", "--show-prefix"], git);
      if (prefix === undefined)
        throw new DomainError("unavailable", `${options.label}: not a git repository`);
      // Comparing paths takes time, so it is only done for a directory inside a repository.
      const below = prefix.trim() === "" ? [] : ["."];
      const newest = ["--no-merges", `--max-count=${options.maxCommits}`, "--format=%H %ct"];
      const listed = await askGit(["log", ...newest, "HEAD", "--", ...below], {
        ...git,
        timeoutMs: LIST_DEADLINE_MS,
      });
      const remote = await askGit(["config", "--get", "remote.origin.url"], git);
      const read = batched((hashes) => readCommits(hashes, git));
      // A new repository has no commit yet.
      const lines = (listed ?? "").split("\n").filter((line) => line !== "");
      return {
        items: lines.map((line) => itemOf(line, { read, remote: remote?.trim() ?? "", options })),
        problems: [],
      };
    },
  };
}

interface CommitReader {
  readonly read: (hash: string) => Promise<Commit | undefined>;
  readonly remote: string;
  readonly options: CommitsOptions;
}

function itemOf(line: string, { read, remote, options }: CommitReader): Item {
  const [hash = "", time] = line.split(" ");
  const stamp = `${CONTENT_VERSION}:${options.settings}`;
  return {
    sourceId: hash,
    // A commit never changes.
    stamp,
    updatedAt: Number(time),
    async read(): Promise<ItemReading> {
      const commit = await read(hash);
      if (commit === undefined) return { kind: "failed", reason: "git has no such commit" };
      return {
        kind: "content",
        bytes: Buffer.from(textOf(commit)),
        format: "text",
        contentType: "text/plain",
        stamp,
        sourceUrl: commitLink(remote, hash),
        title: commit.message.split("\n", 1)[0] ?? "",
        author: commit.author,
        createdAt: commit.time,
        updatedAt: commit.time,
        metadata: { git_sha: hash, ...summaryOf(commit) },
        tags: options.tags,
      };
    },
  };
}

/** Raised when commits are stored in another form, so that they are read again. */
const CONTENT_VERSION = 2;
const MOST_NAMED = 10;

/** The names of removed files count like a title: people ask for them, and the message seldom has them. */
function summaryOf({ files }: Commit): { readonly summary?: string } {
  const removed = files.filter(({ kind }) => kind === "D").slice(0, MOST_NAMED);
  if (removed.length === 0) return {};
  return { summary: `Removed ${removed.map(({ path }) => basename(path)).join(", ")}` };
}

const MOST_FILES = 40;
const MOST_CHARACTERS = 20_000;
/** Who signed or tested it says nothing about the change. */
const TRAILER = /^(?:[A-Z][a-z]+-)+by: .*\n?/gim;

/** Begins with the message, so that a snippet does too. */
function textOf({ hash, author, time, message, files }: Commit): string {
  const shown = files.slice(0, MOST_FILES);
  const list = (verb: string, kind: string) => {
    const paths = shown.filter((file) => file.kind === kind).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${verb}: ${paths.join(", ")}`];
  };
  const more = files.length - shown.length;
  return [
    `${message.replace(TRAILER, "").trim().slice(0, MOST_CHARACTERS)}\n`,
    `Commit ${hash.slice(0, 12)} by ${author}, ${new Date(time * 1_000).toISOString().slice(0, 10)}`,
    ...list("Removed", "D"),
    ...list("Added", "A"),
    ...list("Renamed", "R"),
    ...list("Changed", "M"),
    ...(more > 0 ? [`and ${more} more files`] : []),
  ].join("\n");
}
