import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errnoOf } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { check, MAX_CHECKED_BYTES, openStore, type Store, type StoreOptions } from "./store.ts";
import { asStoreError, isDamage } from "./store-errors.ts";

const KEPT_COPIES = 2;
const PARTS = ["", "-wal", "-shm", "-journal", "-sum"];

/** For caches only, never for user data: a damaged file is renamed to `*.damaged-N` and a new one is created. */
export async function openOrRebuild({
  logger,
  ...options
}: StoreOptions & { readonly logger: Logger }): Promise<Store> {
  try {
    return await openChecked(options);
  } catch (thrown) {
    if (!isDamage(thrown) || options.readOnly) throw thrown;
  }
  try {
    // Another process may have rebuilt it by now. Closing removed the sign of an unclean end, so check in any case.
    return await openChecked(options, true);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
  }
  const aside = setAside(options.file);
  logger.warn(`${options.file} was damaged. It is kept as ${basename(aside)} and rebuilt.`);
  return openChecked(options);
}

/** Renames a database with its side files; only the newest such copies are kept. */
function setAside(file: string): string {
  const number = 1 + Math.max(0, ...damagedCopies(file));
  for (const part of PARTS) renameIfPresent(`${file}${part}`, `${file}.damaged-${number}${part}`);
  for (const old of damagedCopies(file).filter((copy) => copy <= number - KEPT_COPIES)) {
    for (const part of PARTS) rmSync(`${file}.damaged-${old}${part}`, { force: true });
  }
  return `${file}.damaged-${number}`;
}

async function openChecked(options: StoreOptions, isSuspect = false): Promise<Store> {
  const { file } = options;
  // A writer that was killed leaves its log or its journal behind.
  const hasLog = existsSync(`${file}-wal`) || sizeOf(`${file}-journal`) > 0;
  const wasUnclean = isSuspect || (hasLog && sizeOf(file) <= MAX_CHECKED_BYTES);
  const store = await openStore(options);
  if (!wasUnclean) return store;
  try {
    check(store);
    return store;
  } catch (thrown) {
    store.close();
    throw asStoreError(thrown, file);
  }
}

function damagedCopies(file: string): number[] {
  const start = `${basename(file)}.damaged-`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(start))
    .flatMap((name) => /^\d+/.exec(name.slice(start.length)) ?? [])
    .map(Number);
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function renameIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") throw thrown;
  }
}
