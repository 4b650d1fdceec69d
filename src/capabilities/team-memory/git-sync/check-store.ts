import { z } from "zod";
import type { FileIds } from "../merge/store-merge.ts";
import { LOCAL, MANIFEST, STORE_DIRECTORY } from "../store/layout.ts";
import { readStoreFile } from "../store/read-file.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { refuseTaken } from "./private-names.ts";
import type { IndexRow } from "./repository/index-rows.ts";
import { listed, type Repository, refused, shortBranch } from "./repository/repository.ts";
import { asStored, blobId, readContents } from "./repository/store-tree.ts";

/** What plain git may have done to a store since it was synced, and a sync must not carry on to the team. */
export interface Found {
  readonly directory: string;
  readonly committed: FileIds;
  readonly indexed: readonly IndexRow[];
  readonly scopes: ScopeTable;
}

/** Refuses to sync a store that is not what it was when we left it. Nothing is changed. */
export async function checkStore(repository: Repository, found: Found): Promise<void> {
  refuseUnmerged(found);
  refuseTrackedLocals(found);
  await refuseMissing(repository, found);
  await refuseTaken(repository, found);
}

function refuseUnmerged({ indexed }: Found): void {
  const open = [...new Set(indexed.filter(({ isUnmerged }) => isUnmerged).map(({ path }) => path))];
  if (open.length > 0)
    throw refused(
      `git has unsettled conflicts in the store: ${listed(open)}. Settle them and git add them, then sync again.`,
      { files: open },
    );
}

/** Whoever commits these writes them into every clone that pulls: what is private there could then be told by others. */
function refuseTrackedLocals({ indexed }: Found): void {
  const tracked = indexed.map(({ path }) => path).filter((path) => path.startsWith(`${LOCAL}/`));
  if (tracked.length > 0)
    throw refused(
      `git tracks files that belong to one clone alone: ${listed(tracked)}. A teammate's may stand in place of yours: look at the scopes of your private entries, run git rm -r --cached ${STORE_DIRECTORY}/${LOCAL}, then sync again.`,
      { files: tracked },
    );
}

/** A store that was lost, or lost and begun anew, must not look like one whose entries were all removed. */
async function refuseMissing(repository: Repository, { directory, committed, indexed }: Found) {
  const known = committed.get(MANIFEST);
  if (known === undefined) return;
  const bytes = readStoreFile(directory, MANIFEST)?.bytes;
  if (bytes !== undefined && blobId(repository, asStored(repository, bytes)) === known) return;
  const before = (await readContents(repository, [known])).get(known);
  if (bytes !== undefined && !isOtherProject(bytes, before)) return;
  const isSkipped = indexed.some(({ path, isSkipped }) => path === MANIFEST && isSkipped);
  const remedy = isSkipped
    ? `git sparse-checkout add ${repository.prefix}`
    : repository.isApart
      ? `git restore --source=${shortBranch(repository)} -- ${STORE_DIRECTORY}`
      : `git checkout -- ${STORE_DIRECTORY}`;
  throw refused(
    bytes === undefined
      ? `The store is missing here; bring it back with \`${remedy}\`.`
      : `The store here was begun anew and is not the one on the branch; bring that back with \`${remedy}\`.`,
  );
}

const Manifest = z.looseObject({ project: z.looseObject({ id: z.string() }) });

function isOtherProject(one: Buffer, other: Buffer | undefined): boolean {
  const [a, b] = [projectOf(one), projectOf(other)];
  return a !== undefined && b !== undefined && a !== b;
}

function projectOf(bytes: Buffer | undefined): string | undefined {
  try {
    return Manifest.parse(JSON.parse((bytes ?? "").toString("utf8"))).project.id;
  } catch {
    return undefined;
  }
}
