import { execFile } from "node:child_process";
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { Store } from "./store.ts";

/** Run in a process of its own: closing the file in this process would drop the locks that SQLite holds on it. */
const COPY = `const { copyFileSync, constants } = require("node:fs");
copyFileSync(process.argv[1], process.argv[2], constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);`;
/** GNU's cp takes two milliseconds to start, Node eighty. It is not everywhere, or has no such option. */
const COPIERS = [
  ["cp", "--reflink=auto", "--"],
  [process.execPath, "-e", COPY],
] as const;
/** Bytes 18 and 19 of a database: 2 needs a write-ahead log, which the copy does not have. */
const VERSIONS_AT = 18;
const WITHOUT_LOG = Uint8Array.of(1, 1);
const TRIES = 5;

/**
 * Copies an open database page by page, so that equal parts of two copies are at equal places, and a file system that can
 * share blocks stores them once. Writers wait meanwhile. The copy is closed and complete.
 */
export async function copyDatabase(store: Store, target: string): Promise<void> {
  rmSync(target, { force: true });
  for (let tries = 0; tries < TRIES; tries++) {
    store.checkpoint();
    store.exec("BEGIN IMMEDIATE");
    try {
      // Another process wrote between the two statements.
      if (sizeOf(`${store.file}-wal`) > 0) continue;
      if (!(await copyInAnotherProcess(store.file, target))) break;
      return;
    } finally {
      store.exec("ROLLBACK");
    }
  }
  rmSync(target, { force: true });
  store.prepare("VACUUM INTO ?").run(target);
}

async function copyInAnotherProcess(file: string, target: string): Promise<boolean> {
  for (const [program, ...args] of COPIERS) {
    try {
      await promisify(execFile)(program, [...args, file, target], { timeout: 600_000 });
      removeLog(target);
      return true;
    } catch {
      rmSync(target, { force: true });
    }
  }
  return false;
}

function removeLog(target: string): void {
  const handle = openSync(target, "r+");
  try {
    writeSync(handle, WITHOUT_LOG, 0, WITHOUT_LOG.length, VERSIONS_AT);
  } finally {
    closeSync(handle);
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
