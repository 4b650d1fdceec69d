import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { isInside } from "../../../core/files/allowed-roots.ts";
import { pathOfOpened, READ_SAFELY } from "../../../core/files/opened-path.ts";
import { globFilter } from "../../../core/scan/glob.ts";
import { formatOfPath, mediaTypeOf } from "../formats/format.ts";
import { type Connector, type Item, type ItemReading, tooLarge } from "./connector.ts";
import { isNeverRead, pathMatcher } from "./path-matcher.ts";

interface FilesystemOptions {
  readonly label: string;
  /** As configured; relative to the project. */
  readonly root: string;
  readonly project: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Leave out files that git ignores. */
  readonly gitignore: boolean;
  readonly tags: readonly string[];
  readonly maxBytes: number;
  readonly settings: string;
  now(): Date;
}

/** A file changed this recently may change again without a new time stamp. */
const CLOCK_STEP_MS = 2_000;
/** After this many files, other work gets its turn. */
const FILES_A_TURN = 1_000;

/** Files below a directory. Links are never followed, and only regular files are read. */
export function filesystemConnector(options: FilesystemOptions): Connector {
  const root = resolve(options.project, options.root);
  const isWanted = globFilter(options.include, options.exclude);
  return {
    label: options.label,
    type: "filesystem",
    parallel: 16,
    async check() {
      const found = await stat(root).catch(() => undefined);
      if (found?.isDirectory()) return { healthy: true, notes: `root: ${options.root}` };
      return { healthy: false, notes: found ? "root is not a directory" : "root directory does not exist" };
    },
    async list(signal) {
      const real = await realpath(root).catch(() => undefined);
      if (real === undefined) {
        throw new DomainError("unavailable", `${options.label}: root directory does not exist`);
      }
      const problems: string[] = [];
      const items: Item[] = [];
      const settledBefore = options.now().getTime() - CLOCK_STEP_MS;
      let seen = 0;
      const listing = options.gitignore ? notIgnored(real, signal) : walk(real, problems, signal);
      for await (const paths of listing) {
        for (const path of paths.filter(isWanted)) {
          const item = itemOf(path, { real, settledBefore, options });
          if (item) items.push(item);
        }
        seen += paths.length;
        if (seen >= FILES_A_TURN) {
          seen = 0;
          await nextTurn();
        }
      }
      return { items, problems };
    },
  };
}

async function* notIgnored(root: string, signal: AbortSignal): AsyncGenerator<string[]> {
  const isWanted = pathMatcher({ include: ["**"], exclude: [] });
  const { scanProject } = await import("../../../core/scan/scan.ts");
  yield (await scanProject(root, signal)).map(({ path }) => path).filter(isWanted);
}

async function* walk(root: string, problems: string[], signal: AbortSignal): AsyncGenerator<string[]> {
  const pending = [""];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    signal.throwIfAborted();
    const files: string[] = [];
    for (const entry of entriesOf(root, directory, problems)) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (isNeverRead(entry.name, entry.isDirectory())) continue;
      if (entry.isDirectory()) pending.push(path);
      if (entry.isFile()) files.push(path);
    }
    yield files;
  }
}

/** Synchronous: for an unchanged tree, asynchronous calls would be most of the work. */
function entriesOf(root: string, directory: string, problems: string[]): Dirent[] {
  try {
    return readdirSync(join(root, directory), { withFileTypes: true });
  } catch (thrown) {
    // If it was deleted since, its files are deleted too. Any other error hides files that may still exist.
    if (errnoOf(thrown) !== "ENOENT") problems.push(`cannot read directory ${directory || "."}`);
    return [];
  }
}

interface ListedTree {
  readonly real: string;
  readonly settledBefore: number;
  readonly options: FilesystemOptions;
}

function itemOf(path: string, tree: ListedTree): Item | undefined {
  const found = statOf(join(tree.real, path));
  if (typeof found === "string") {
    return { sourceId: path, stamp: undefined, read: async () => unreadable(found) };
  }
  if (!found?.isFile()) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = found;
  const isSettled = Math.max(mtimeMs, ctimeMs) < tree.settledBefore;
  const stamp = `${size}:${mtimeMs}:${ctimeMs}:${ino}:${tree.options.settings}`;
  return {
    sourceId: path,
    stamp: isSettled ? stamp : undefined,
    updatedAt: Math.floor(mtimeMs / 1_000),
    // A stamp that may become wrong is stored in a form that never matches.
    read: () => readItem(path, isSettled ? stamp : `${stamp}?`, tree),
  };
}

/** The stat, or the error code: a directory may be listable, but not enterable. */
function statOf(file: string): Stats | string | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (thrown) {
    return errnoOf(thrown) ?? "EIO";
  }
}

const unreadable = (code: string): ItemReading => ({
  kind: "failed",
  reason: code === "EACCES" ? "no permission to read" : `cannot be read (${code})`,
});

async function readItem(path: string, stamp: string, { real, options }: ListedTree): Promise<ItemReading> {
  const file = join(real, path);
  const handle = await open(file, READ_SAFELY).catch((thrown: unknown) => errnoOf(thrown) ?? "EIO");
  if (typeof handle === "string") {
    if (handle === "ENOENT" || handle === "ENOTDIR") return { kind: "gone" };
    return unreadable(handle);
  }
  try {
    const found = await handle.stat();
    // A parent directory may have become a link since it was listed.
    const opened = await pathOfOpened(handle, file);
    if (!found.isFile() || opened === undefined || !isInside(real, opened)) return { kind: "gone" };
    if (found.size > options.maxBytes) return tooLarge(options.maxBytes, stamp);
    const format = formatOfPath(path);
    return {
      kind: "content",
      bytes: await handle.readFile(),
      format,
      contentType: mediaTypeOf(format),
      stamp,
      sourceUrl: pathToFileURL(file).href,
      title: basename(path),
      author: null,
      createdAt: undefined,
      updatedAt: undefined,
      guessedAt: Math.floor(found.mtimeMs / 1_000),
      metadata: {},
      tags: options.tags,
    };
  } finally {
    await handle.close();
  }
}
