import type { Config } from "../../../core/config/config.ts";
import type { Lock } from "../../../core/lock/lock.ts";
import type { FileIds } from "../merge/store-merge.ts";
import type { Place } from "../store/locate.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { lockStore } from "../store/transaction.ts";
import { openRepository, type Repository } from "./repository.ts";
import { allFilesAt, type DiskFiles, publicFiles } from "./store-tree.ts";

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
}

export const standingOf = async (desk: SyncDesk): Promise<Standing> => {
  const repository = await openRepository(desk.place, desk.settings.branch);
  const committed = await allFilesAt(repository, repository.head);
  const disk = publicFiles(repository, desk.place.directory, { scopes: desk.scopes(), committed });
  return { repository, disk, committed };
};

export const lockForSync = (desk: SyncDesk): Promise<Lock> =>
  lockStore(desk.place.directory, { purpose: "syncing the team's memory", signal: desk.signal });

export const isSame = (a: FileIds, b: FileIds): boolean =>
  a.size === b.size && [...a].every(([path, id]) => b.get(path) === id);
