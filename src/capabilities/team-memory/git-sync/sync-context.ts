import { existsSync } from "node:fs";
import type { Config } from "../../../core/config/config.ts";
import type { Lock } from "../../../core/lock/lock.ts";
import type { Renumbered } from "../merge/renumber.ts";
import type { FileIds } from "../merge/store-merge.ts";
import type { Place } from "../store/locate.ts";
import { lockStore } from "../store/lock-store.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { checkStore } from "./check-store.ts";
import { settleNumbers } from "./decision-numbers.ts";
import { indexRows } from "./repository/index-rows.ts";
import { openRepository, type Repository, refused } from "./repository/repository.ts";
import { allFilesAt, type DiskFiles, publicFiles } from "./repository/store-tree.ts";

/** What syncing needs from the room: where the store is, what is private in it, and who asks. */
export interface SyncDesk {
  readonly place: Place;
  readonly settings: Config["memory"];
  /** Read anew at each call: another process may have changed it. */
  scopes(): ScopeTable;
  now(): Date;
  readonly actor: string;
  readonly signal: AbortSignal;
}

/** The three things a sync compares, read together under the store's lock. */
export interface Standing {
  readonly repository: Repository;
  readonly disk: DiskFiles;
  readonly committed: FileIds;
  readonly renumbered: readonly Renumbered[];
}

/** Call it under the lock: decisions that plain git brought together under one number are told apart first. */
export async function standingOf(desk: SyncDesk): Promise<Standing> {
  const { directory } = desk.place;
  const repository = await openRepository(desk.place, desk.settings.branch);
  const [committed, indexed] = await Promise.all([
    allFilesAt(repository, repository.head),
    indexRows(repository),
  ]);
  const scopes = requireScopes(desk);
  await checkStore(repository, { directory, committed, indexed, scopes });
  const renumbered = await settleNumbers(directory, scopes, committed);
  const skipped = repository.isApart ? [] : indexed.filter(({ isSkipped }) => isSkipped);
  const kept = new Map(
    skipped.flatMap(({ path }) => {
      const id = committed.get(path);
      return id === undefined ? [] : [[path, id] as const];
    }),
  );
  const disk = publicFiles(repository, directory, { scopes: desk.scopes(), committed, kept });
  return { repository, disk, committed, renumbered };
}

/** Taking the lock makes the store's directory, so a store that is missing is refused before. */
export async function lockForSync(desk: SyncDesk): Promise<Lock> {
  if (!existsSync(desk.place.directory)) await standingOf(desk);
  return lockStore(desk.place.directory, { purpose: "syncing the team's memory", signal: desk.signal });
}

/** Unreadable scopes make no guess: nothing is synced until they are repaired. */
function requireScopes(desk: SyncDesk): ScopeTable {
  const scopes = desk.scopes();
  if (scopes.problems.length === 0) return scopes;
  throw refused(`What is private cannot be told: ${scopes.problems.join("; ")}. Repair it, then sync again.`);
}

export const isSame = (a: FileIds, b: FileIds): boolean =>
  a.size === b.size && [...a].every(([path, id]) => b.get(path) === id);
