import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock, type Lock } from "../../../core/lock/lock.ts";
import { recover } from "./journal.ts";
import { LOCAL } from "./layout.ts";
import { asStoreError, storePath } from "./read-file.ts";

const WAIT_MS = 30_000;

/** Takes the lock that every writing process needs. First finishes the transaction of a holder that died. */
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
  const ignore = storePath(directory, `${LOCAL}/.gitignore`);
  try {
    mkdirSync(join(directory, LOCAL), { recursive: true });
    refuseLink(directory, `${LOCAL}/store.lock`);
    if (!lstatSync(ignore, { throwIfNoEntry: false })?.size) writeFileSync(ignore, "*\n");
  } catch (thrown) {
    throw asStoreError(thrown);
  }
}

/** A repository may contain a link here; through it we would lock a file outside the store. */
function refuseLink(directory: string, path: string): void {
  const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return;
  throw new DomainError(
    "unavailable",
    `${path} of the context store is no regular file. Delete it and try again.`,
  );
}
