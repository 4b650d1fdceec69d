import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { createServer } from "node:net";
import { errnoOf } from "../errors.ts";

/** A file's path, and its device and inode, which stay the same when it is renamed. */
export interface LockedFile {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}
export type ReleaseKernelLock = () => void;

/** `open(2)` of macOS and the BSDs takes a lock with the file: O_EXLOCK. Node has no name for it. */
const O_EXLOCK = 0x20;
const hasNamedSockets = process.platform === "linux" || process.platform === "win32";

/**
 * Tries to take an exclusive lock, without waiting. The kernel releases it when its holder dies, so no lock is stale.
 * One file has as many locks as there are names. On Linux two containers that share a file do not see each other's
 * locks: a socket name belongs to one network namespace.
 */
export const tryKernelLock = (file: LockedFile, name: string): ReleaseKernelLock | undefined =>
  hasNamedSockets
    ? tryListen(`contextful-${file.dev}-${file.ino}-${name}`)
    : tryLockedFile(`${file.path}-${name}.lock`);

let isAllowed: boolean | undefined;

/** A sandbox may forbid sockets. Then every lock would seem to be taken. */
export function hasKernelLocks(): boolean {
  if (isAllowed !== undefined || !hasNamedSockets) return isAllowed ?? true;
  const release = tryListen(`contextful-${randomUUID()}`);
  release?.();
  isAllowed = release !== undefined;
  return isAllowed;
}

/** One process can listen on a name that is not in the file system; the name is free again when the process ends. */
function tryListen(name: string): ReleaseKernelLock | undefined {
  const server = createServer();
  // A name in use is reported twice: now by `listening`, and later by this event.
  server.on("error", () => {});
  server.listen(process.platform === "win32" ? `\\\\.\\pipe\\${name}` : `\0${name}`);
  server.unref();
  return server.listening ? () => void server.close() : undefined;
}

function tryLockedFile(path: string): ReleaseKernelLock | undefined {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600);
    return () => closeSync(fd);
  } catch (thrown) {
    if (errnoOf(thrown) === "EAGAIN" || errnoOf(thrown) === "EWOULDBLOCK") return undefined;
    throw thrown;
  }
}
