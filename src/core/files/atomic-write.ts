import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Writes all or nothing: writes a temporary file beside the target, syncs it, renames it over the target and syncs the
 * directory. `mode` is for a new file; an existing file keeps its mode. A link at the target is replaced, not followed.
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

/** The write itself, in an existing directory that the caller has checked. */
export async function replaceFile(
  directory: string,
  name: string,
  { content, mode = 0o644 }: Replacement,
): Promise<void> {
  const target = join(directory, name);
  // Shortened: the temporary name must not be too long if the target's name is not.
  const temporary = join(directory, `.${name.slice(0, 40)}.${randomBytes(6).toString("hex")}.tmp`);
  const kept = await stat(target).then(
    (info) => (info.isFile() ? info.mode & 0o777 : undefined),
    () => undefined,
  );
  try {
    const handle = await open(temporary, "wx", kept ?? mode);
    try {
      await handle.writeFile(content);
      // The umask may have removed bits from the mode that the file had.
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

/** Makes a rename in the directory durable. Windows cannot open directories, so nothing is done there. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
