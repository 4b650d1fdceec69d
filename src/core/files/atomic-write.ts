import { randomBytes } from "node:crypto";
import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface AtomicWriteOptions {
  /** For a new file; an existing one keeps its own. Default 0o644. */
  readonly mode?: number;
  /** Write what a link at the target points at, as for a user's linked dotfile. Default: the link itself is replaced. */
  readonly followLink?: boolean;
}

/** Writes all or nothing: a temporary file beside the target, synced, renamed over it, the directory synced. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  options: number | AtomicWriteOptions = {},
): Promise<void> {
  const { mode, followLink = false } = typeof options === "number" ? { mode: options } : options;
  await mkdir(dirname(file), { recursive: true });
  const target = followLink ? await realpath(file).catch(() => file) : file;
  await replaceFile(dirname(target), basename(target), { content, ...(mode !== undefined && { mode }) });
}

interface Replacement {
  readonly content: string | Uint8Array;
  readonly mode?: number;
}

/** The write itself, within a directory that exists and that the caller has checked. */
export async function replaceFile(
  directory: string,
  name: string,
  { content, mode = 0o644 }: Replacement,
): Promise<void> {
  const target = join(directory, name);
  // Cut, because the temporary name must fit wherever the target's name does.
  const temporary = join(directory, `.${name.slice(0, 40)}.${randomBytes(6).toString("hex")}.tmp`);
  const kept = await stat(target).then(
    (info) => (info.isFile() ? info.mode & 0o777 : undefined),
    () => undefined,
  );
  try {
    const handle = await open(temporary, "wx", kept ?? mode);
    try {
      await handle.writeFile(content);
      // The umask took bits from a mode that the file already had.
      if (kept !== undefined) await handle.chmod(kept);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
  await syncDirectory(directory);
}

/** Makes a rename in it durable. Windows cannot open directories; there the rename itself is all there is. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
