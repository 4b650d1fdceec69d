import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DomainError, errnoOf } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";
import { asStoreError, isDamage } from "./store-errors.ts";

/** Checking a larger file would make a start slow; its damage is met, and named, when it is read. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;
const KEPT = 2;
const PARTS = ["", "-wal", "-shm", "-journal"];

/** For caches only, never for what a user wrote: a damaged file is set aside as `*.damaged-N` and a new one begun. */
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
    // Another process may have built it anew meanwhile. Closing removed the sign of an unclean end, so look anyway.
    return await openChecked(options, true);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
  }
  const aside = setAside(options.file);
  logger.warn(`${options.file} was damaged. It is kept as ${basename(aside)} and built anew.`);
  return openChecked(options);
}

/** Moves a database and all that belongs to it out of the way; the last few such copies are kept. */
function setAside(file: string): string {
  const number = 1 + Math.max(0, ...damagedCopies(file));
  for (const part of PARTS) renameIfThere(`${file}${part}`, `${file}.damaged-${number}${part}`);
  for (const old of damagedCopies(file).filter((copy) => copy <= number - KEPT)) {
    for (const part of PARTS) rmSync(`${file}.damaged-${old}${part}`, { force: true });
  }
  return `${file}.damaged-${number}`;
}

async function openChecked(options: StoreOptions, isSuspect = false): Promise<Store> {
  const wasUnclean =
    isSuspect || (existsSync(`${options.file}-wal`) && sizeOf(options.file) <= MAX_CHECKED_BYTES);
  const store = await openStore(options);
  if (!wasUnclean) return store;
  try {
    check(store);
    return store;
  } catch (thrown) {
    store.close();
    throw asStoreError(thrown, options.file);
  }
}

/** Throws where SQLite finds the file inconsistent. */
export function check(store: Store): void {
  const rows = store.prepare("PRAGMA quick_check(1)").all();
  if (JSON.stringify(rows) === '[{"quick_check":"ok"}]') return;
  throw new DomainError("unavailable", `Damaged: ${store.file}.`, { reason: "damaged", details: { rows } });
}

function damagedCopies(file: string): number[] {
  const start = `${basename(file)}.damaged-`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(start))
    .flatMap((name) => /^\d+/.exec(name.slice(start.length)) ?? [])
    .map(Number);
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") throw thrown;
  }
}
