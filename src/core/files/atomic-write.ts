import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Writes all or nothing: a temporary file beside the target, synced, renamed over it, the directory synced. `mode` is for
 * a new file, an existing one keeps its own; a link at the target is replaced, not followed.
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  mode?: number,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(dirname(file), basename(file), { content, ...(mode !== undefined && { mode }) });
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
