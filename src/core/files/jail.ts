import type { Stats } from "node:fs";
import { type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DomainError, errnoOf } from "../errors.ts";
import { isInside } from "./allowed-roots.ts";
import { replaceFile } from "./atomic-write.ts";
import { DIRECTORY_SAFELY, pathOfOpened, pathThrough, READ_SAFELY } from "./opened-path.ts";
import { checkStaysInside, isKernelPath, outside } from "./path-form.ts";

/** Access limited to one directory: every path is relative to it and checked to be inside when used, links included. */
export interface Jail {
  /** The real path of the root. */
  readonly root: string;
  /** The real path. Throws `forbidden_path` outside the root and `not_found` if nothing is there. */
  resolve(relative: string): Promise<string>;
  /** `undefined` if nothing is there. Only for regular files and directories. */
  stat(relative: string): Promise<Stats | undefined>;
  /** Regular files only: a FIFO or a device is refused without blocking. */
  read(relative: string, options?: { readonly maxBytes?: number }): Promise<Buffer>;
  /** Atomic. Creates missing directories. Replaces a link instead of following it. */
  write(relative: string, content: string | Uint8Array, mode?: number): Promise<void>;
}

interface JailOptions {
  /** Also refuses files with several hard links: one of them may be outside. */
  readonly strict?: boolean;
}

export async function openJail(root: string, { strict = false }: JailOptions = {}): Promise<Jail> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) throw new DomainError("not_found", `Not a directory: ${root}`);
  if (isKernelPath(real)) throw outside(root);
  const inside = { root: real, strict };
  return {
    root: real,
    resolve: (relative) => resolveInside(real, relative),
    stat: async (relative) => {
      try {
        return await withOpened(inside, relative, async (handle) => handle.stat());
      } catch (thrown) {
        if (thrown instanceof DomainError && thrown.code === "not_found") return undefined;
        throw thrown;
      }
    },
    read: (relative, { maxBytes = 1_000_000_000 } = {}) =>
      withOpened(inside, relative, (handle, info) => readWhole(handle, info, { relative, maxBytes })),
    write: (relative, content, mode) => writeInside(real, relative, { content, ...(mode && { mode }) }),
  };
}

async function resolveInside(root: string, relative: string): Promise<string> {
  checkStaysInside(relative);
  const real = await realpath(join(root, relative)).catch((thrown: unknown) => {
    if (["ELOOP", "ENAMETOOLONG"].includes(errnoOf(thrown) ?? "")) throw outside(relative);
    return undefined;
  });
  if (real === undefined) throw new DomainError("not_found", `No such file: ${relative}`);
  if (!isInside(root, real)) throw outside(relative);
  return real;
}

type JailRoot = { readonly root: string; readonly strict: boolean };

async function withOpened<T>(
  { root, strict }: JailRoot,
  relative: string,
  use: (handle: FileHandle, info: Stats) => Promise<T>,
): Promise<T> {
  const path = await resolveInside(root, relative);
  const handle = await open(path, READ_SAFELY).catch((cause: unknown) => {
    // A link created since the check, or a socket.
    if (["ELOOP", "EMLINK", "ENXIO"].includes(errnoOf(cause) ?? "")) throw outside(relative);
    throw new DomainError("not_found", `Cannot read ${relative}`, { cause });
  });
  try {
    const opened = await pathOfOpened(handle, path);
    if (opened === undefined || !isInside(root, opened)) throw outside(relative);
    const info = await handle.stat();
    if (!info.isFile() && !info.isDirectory()) throw notAFile(relative);
    if (strict && info.isFile() && info.nlink > 1) throw outside(relative);
    return await use(handle, info);
  } finally {
    await handle.close();
  }
}

async function readWhole(
  handle: FileHandle,
  info: Stats,
  { relative, maxBytes }: { readonly relative: string; readonly maxBytes: number },
): Promise<Buffer> {
  if (!info.isFile()) throw notAFile(relative);
  if (info.size > maxBytes) {
    throw new DomainError("invalid_input", `Too large: ${relative} has more than ${maxBytes} bytes.`, {
      reason: "too_large",
    });
  }
  return handle.readFile();
}

async function writeInside(
  root: string,
  relative: string,
  replacement: { readonly content: string | Uint8Array; readonly mode?: number },
): Promise<void> {
  checkStaysInside(relative);
  const name = basename(relative);
  if (name === "" || name === ".") throw notAFile(relative);
  const directory = await openDirectory(root, dirname(relative), relative);
  try {
    await replaceFile(await pathThrough(directory.handle, directory.path), name, replacement);
  } finally {
    await directory.handle.close();
  }
}

interface OpenedDirectory {
  readonly handle: FileHandle;
  readonly path: string;
}

/** Walks down from the root, each step through the open directory: what was checked is what is used. */
async function openDirectory(root: string, relative: string, asked: string): Promise<OpenedDirectory> {
  let current: OpenedDirectory = { handle: await open(root, DIRECTORY_SAFELY), path: root };
  try {
    for (const name of relative.split("/").filter((part) => part !== "" && part !== ".")) {
      const next = await openChild(root, current, name, asked);
      await current.handle.close();
      current = next;
    }
    return current;
  } catch (thrown) {
    await current.handle.close();
    throw thrown;
  }
}

async function openChild(
  root: string,
  parent: OpenedDirectory,
  name: string,
  asked: string,
): Promise<OpenedDirectory> {
  const base = await pathThrough(parent.handle, parent.path);
  await mkdir(join(base, name)).catch((thrown: unknown) => {
    if (errnoOf(thrown) !== "EEXIST") throw thrown;
  });
  // A link to a directory inside is followed, by the real path that the kernel reports.
  const real = await realpath(join(base, name)).catch(() => undefined);
  if (real === undefined || !isInside(root, real)) throw outside(asked);
  const handle = await open(real, DIRECTORY_SAFELY).catch((cause: unknown) => {
    throw new DomainError("forbidden_path", `Not a directory inside the project: ${asked}`, { cause });
  });
  const opened = await pathOfOpened(handle, real);
  if (opened !== undefined && isInside(root, opened)) return { handle, path: opened };
  await handle.close();
  throw outside(asked);
}

const notAFile = (relative: string) =>
  new DomainError("forbidden_path", `Not a regular file: ${relative}`, { reason: "not_a_file" });
