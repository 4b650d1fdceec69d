import { existsSync, type FSWatcher, statfsSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errnoOf } from "../errors.ts";
import { lstatReachable } from "../files/opened-path.ts";
import { filesOfGit } from "./git-files.ts";
import { walkTree } from "./walk.ts";

interface TreeWatcherOptions {
  readonly root: string;
  /** Git's own directory: a new index there may add files to the project or remove them. */
  readonly gitDirectory?: string | undefined;
  /** Whether the process goes on as long as it watches. */
  readonly persistent?: boolean;
  onChange(): void;
}

/** Linux reports a change before the call that made it returns. Other systems report it some time later. */
const REPORTS_AT_ONCE = process.platform === "linux";
/** File systems whose changes may be made on another machine: NFS, SMB, CIFS, SMB2, 9p, FUSE, VirtualBox. */
const REMOTE_TYPES = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x786f4256]);

/**
 * Reports changes below a root. On Linux it watches each directory that is not ignored, because a recursive watch there
 * opens every file, ignored ones too; elsewhere one recursive watch.
 */
export class TreeWatcher {
  readonly #options: TreeWatcherOptions;
  /** By path relative to the root. */
  readonly #watchers = new Map<string, FSWatcher>();
  #hasNewDirectories = true;
  #isBroken = false;
  #isClosed = false;

  constructor(options: TreeWatcherOptions) {
    this.#options = options;
    this.#isBroken = isRemote(options.root);
    if (options.gitDirectory !== undefined) this.#watchGit(options.gitDirectory);
    if (!REPORTS_AT_ONCE) this.#watchRecursively();
  }

  /** Whether silence means that nothing has changed. If not, the caller must look for itself. */
  get isReliable(): boolean {
    return REPORTS_AT_ONCE && this.isActive;
  }

  /** False if the system cannot watch this tree. */
  get isActive(): boolean {
    return !this.#isBroken && !this.#isClosed;
  }

  /** The system drops reports if there are too many: look for unwatched directories even if none was reported. */
  distrust(): void {
    this.#hasNewDirectories = true;
  }

  /** Watches new directories. Call it after a change and before reading the tree, so that later changes are reported. */
  async watchNewDirectories(signal: AbortSignal): Promise<void> {
    while (REPORTS_AT_ONCE && this.isActive && this.#hasNewDirectories) {
      this.#hasNewDirectories = false;
      try {
        const wanted = await this.#listDirectories(signal);
        this.#forget((directory) => !wanted.has(directory));
        // A directory may be created in a new one before that is watched: look again until there is none.
        for (const directory of wanted) if (this.#watchDirectory(directory)) this.#hasNewDirectories = true;
      } catch (thrown) {
        this.#hasNewDirectories = true;
        if (existsSync(this.#options.root)) throw thrown;
        this.#giveUp();
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#forget(() => true);
  }

  /** Git may track files in directories that are ignored. */
  async #listDirectories(signal: AbortSignal): Promise<Set<string>> {
    const { directories } = await walkTree(this.#options.root, signal);
    const tracked = await filesOfGit(this.#options.root, signal);
    return new Set([...directories, ...parentsOf(tracked ?? [])]);
  }

  #watchDirectory(directory: string): boolean {
    if (this.#watchers.has(directory) || !this.isActive) return false;
    const path = join(this.#options.root, directory);
    const lost = () => {
      this.#forget((other) => directory === "" || isAtOrBelow(directory, other));
      this.#hasNewDirectories = true;
      this.#options.onChange();
    };
    return this.#add(directory, path, (event, name) => {
      // The directory itself was removed or moved: its path now names another one or none.
      if (event === "rename" && name === basename(path)) return lost();
      if (name === null || this.#changesDirectories(directory, name)) this.#hasNewDirectories = true;
      this.#options.onChange();
    });
  }

  #changesDirectories(directory: string, name: string): boolean {
    const path = directory === "" ? name : `${directory}/${name}`;
    if (name === ".gitignore" || this.#watchers.has(path)) return true;
    const stat = lstatReachable(join(this.#options.root, path));
    return stat?.isDirectory() === true;
  }

  #watchRecursively(): void {
    this.#add(
      "",
      this.#options.root,
      (_event, name) => {
        if (name === null || !/^\.git(?:[\\/]|$)/.test(name)) this.#options.onChange();
      },
      true,
    );
  }

  #watchGit(directory: string): void {
    this.#add(GIT, directory, (_event, name) => {
      if (name === null || name === "index") this.#options.onChange();
    });
  }

  /** Returns false if there is no such directory. If the system has no more watches, the watcher gives up. */
  #add(
    key: string,
    path: string,
    onEvent: (event: string, name: string | null) => void,
    recursive = false,
  ): boolean {
    if (!this.isActive) return false;
    const { persistent = false } = this.#options;
    try {
      const watcher = watch(path, { persistent, recursive }, onEvent);
      watcher.on("error", () => this.#giveUp());
      this.#watchers.set(key, watcher);
      return true;
    } catch (thrown) {
      // A directory that is gone or unreadable has no files for us; if that changes, its parent reports it.
      const isPassing = ["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(errnoOf(thrown) ?? "");
      if (!isPassing || key === "") this.#giveUp();
      return false;
    }
  }

  #giveUp(): void {
    this.#isBroken = true;
    this.#forget(() => true);
    this.#options.onChange();
  }

  #forget(isGone: (directory: string) => boolean): void {
    for (const [directory, watcher] of this.#watchers) {
      if (directory === GIT ? this.isActive : !isGone(directory)) continue;
      watcher.close();
      this.#watchers.delete(directory);
    }
  }
}

/** No path relative to the root looks like this. */
const GIT = "\0git";

function isRemote(root: string): boolean {
  try {
    return REPORTS_AT_ONCE && REMOTE_TYPES.has(statfsSync(root).type);
  } catch {
    return true;
  }
}

function parentsOf(files: readonly string[]): Set<string> {
  const directories = new Set<string>();
  for (const file of files) {
    for (let at = dirname(file); at !== "." && !directories.has(at); at = dirname(at)) directories.add(at);
  }
  return directories;
}

const isAtOrBelow = (directory: string, other: string) =>
  other === directory || other.startsWith(`${directory}/`);
