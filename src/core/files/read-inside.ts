import { open } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "./allowed-roots.ts";
import { pathOfOpened, READ_SAFELY } from "./opened-path.ts";

/** Larger than any file that is quoted. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The content of a regular file inside `root`, which must be a real path. `undefined` for anything else: nothing there,
 * a link, a path that leaves the root, a pipe or a device, more than `maxBytes`. Never blocks.
 */
export async function readInside(
  root: string,
  path: string,
  maxBytes = MAX_BYTES,
): Promise<Buffer | undefined> {
  const file = join(root, path);
  const handle = await open(file, READ_SAFELY).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const [info, opened] = await Promise.all([handle.stat(), pathOfOpened(handle, file)]);
    const isWanted = info.isFile() && info.size <= maxBytes && opened !== undefined && isInside(root, opened);
    return isWanted ? await handle.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The same as text. */
export const readTextInside = async (root: string, path: string, maxBytes?: number) =>
  (await readInside(root, path, maxBytes))?.toString("utf8");
