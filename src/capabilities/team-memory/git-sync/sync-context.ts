import { existsSync } from "node:fs";
import type { Config } from "../../../core/config/config.ts";
import type { Lock } from "../../../core/lock/lock.ts";
import type { Renumbered } from "../merge/renumber.ts";
import type { FileIds } from "../merge/store-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import type { StorePlace } from "../store/locate.ts";
import { lockStore } from "../store/lock-store.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { checkStore } from "./check-store.ts";
import { renumberDuplicates } from "./decision-numbers.ts";
import { moveIgnoredMetadata } from "./repository/ignored-files.ts";
import { openRepository, readIndex, refused, type SyncRepository } from "./repository/repository.ts";
import { allFilesAt, type DiskFiles, publicFiles } from "./repository/store-tree.ts";

/** What git sync needs from the room: where the store is, what is private in it, and who asks. */
export interface SyncContext {
  readonly place: StorePlace;
  readonly settings: Config["memory"];
  /** Read again at each call, because another process may change the scopes. */
  scopes(): ScopeTable;
  now(): Date;
  readonly actor: string;
  readonly signal: AbortSignal;
  /** How long a remote may send nothing. Default: as all git calls. */
  readonly silentSeconds?: number | undefined;
}

/** What a sync compares, read together under the store's lock. */
export interface SyncState {
  readonly repository: SyncRepository;
  readonly disk: DiskFiles;
  readonly committed: FileIds;
  readonly renumbered: readonly Renumbered[];
}

/** Call it under the lock: it first renumbers decisions that plain git left with the same number. */
export async function readSyncState(context: SyncContext): Promise<SyncState> {
  const { directory } = context.place;
  const { repository, committed, indexed, scopes } = await readCheckedStore(context);
  const renumbered = await renumberDuplicates(directory, scopes, committed);
  await moveIgnoredMetadata(repository, directory, committed);
  const skipped = repository.onOwnBranch ? [] : indexed.filter(({ isSkipped }) => isSkipped);
  const kept = new Map(
    skipped.flatMap(({ path }) => {
      const id = committed.get(path);
      return id === undefined ? [] : [[path, id] as const];
    }),
  );
  const disk = await publicFiles(repository, directory, { scopes: context.scopes(), committed, kept });
  return { repository, disk, committed, renumbered };
}

/** Throws if the branch has a store that is missing here. False: there is no store at all. */
export async function requireStore(context: SyncContext): Promise<boolean> {
  if (existsSync(context.place.directory)) return true;
  await readCheckedStore(context);
  return false;
}

/** Taking the lock creates the store's directory, so a missing store is refused first. */
export async function lockForSync(context: SyncContext): Promise<Lock> {
  await requireStore(context);
  return lockStore(context.place.directory, { purpose: "syncing the team's memory", signal: context.signal });
}

/** The path of a store file as the tools name it: relative to the project. */
export const projectPath = (path: string): string => `${STORE_DIRECTORY}/${path}`;

async function readCheckedStore(context: SyncContext) {
  const { directory } = context.place;
  const repository = await openRepository(context.place, context.settings.branch);
  const [committed, indexed] = await Promise.all([
    allFilesAt(repository, repository.head),
    readIndex(repository),
  ]);
  const scopes = requireScopes(context);
  await checkStore(repository, { directory, committed, indexed, scopes });
  return { repository, committed, indexed, scopes };
}

/** If the scopes cannot be read, nothing is synced until they are repaired. */
function requireScopes(context: SyncContext): ScopeTable {
  const scopes = context.scopes();
  if (scopes.problems.length === 0) return scopes;
  throw refused(`What is private cannot be told: ${scopes.problems.join("; ")}. Repair it, then sync again.`);
}
