import { open } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "./allowed-roots.ts";
import { pathOfOpened, READ_SAFELY } from "./opened-path.ts";

/** More than anybody quotes from. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * What a regular file really inside `root`, a real path, holds. `undefined` for anything else, and never waited for:
 * nothing there, a link, a way that leads out, a pipe or a device, more than `maxBytes`.
 */
export async function readInside(
  root: string,
  path: string,
  maxBytes = MOST_BYTES,
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
