import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock, type Lock } from "../../../core/lock/lock.ts";
import { recover } from "./journal.ts";
import { JOURNAL, LOCAL } from "./layout.ts";
import { assertRealFolders } from "./read-file.ts";
import { asStoreError } from "./write-error.ts";

const WAIT_MS = 30_000;

/** The one lock of a store: every write of every process is made under it. Unfinished work of a dead holder is finished first. */
export async function lockStore(
  directory: string,
  {
    purpose,
    waitMs = WAIT_MS,
    signal,
  }: { purpose: string; waitMs?: number | undefined; signal?: AbortSignal | undefined },
): Promise<Lock> {
  prepareLocal(directory);
  const lock = await acquireLock({
    directory: join(directory, LOCAL),
    name: "store",
    purpose,
    waitMs,
    ...(signal && { signal }),
  });
  try {
    await recover(directory);
    return lock;
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

function prepareLocal(directory: string): void {
  assertRealFolders(directory, JOURNAL);
  try {
    mkdirSync(join(directory, LOCAL), { recursive: true });
    refuseLink(directory, `${LOCAL}/store.lock`);
    const ignore = join(directory, LOCAL, ".gitignore");
    if (!lstatSync(ignore, { throwIfNoEntry: false })?.size) writeFileSync(ignore, "*\n");
  } catch (thrown) {
    throw asStoreError(thrown);
  }
}

/** Opened through a link that came with a repository, it would be a file of somebody else's that is locked. */
function refuseLink(directory: string, path: string): void {
  const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return;
  throw new DomainError(
    "unavailable",
    `${path} of the context store is no regular file. Delete it and try again.`,
  );
}
