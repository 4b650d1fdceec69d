import { z } from "zod";
import type { FileIds } from "../merge/store-merge.ts";
import {
  folderOf,
  LOCAL,
  LOCAL_METADATA,
  MANIFEST,
  metadataFile,
  ownerOf,
  STORE_DIRECTORY,
  sidecarKey,
} from "../store/layout.ts";
import { EntryMetadata } from "../store/metadata.ts";
import { readStoreFile } from "../store/read-file.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { openSidecars } from "../store/sidecar.ts";
import { type IndexRow, listed, refused, type SyncRepository, shortBranch } from "./repository/repository.ts";
import { asStored, blobId, readContents } from "./repository/store-tree.ts";

interface StoreToCheck {
  readonly directory: string;
  readonly committed: FileIds;
  readonly indexed: readonly IndexRow[];
  readonly scopes: ScopeTable;
}

/** Refuses to sync a store that plain git or an accident has damaged: a sync would pass the damage on to the team. */
export async function checkStore(repository: SyncRepository, found: StoreToCheck): Promise<void> {
  refuseUnmerged(found);
  refuseTrackedLocals(found);
  await refuseMissing(repository, found);
  await refuseReplacedPrivate(repository, found);
}

function refuseUnmerged({ indexed }: StoreToCheck): void {
  const open = [...new Set(indexed.filter(({ isUnmerged }) => isUnmerged).map(({ path }) => path))];
  if (open.length > 0)
    throw refused(
      `git has unresolved conflicts in the store: ${listed(open)}. Resolve them and git add them, then sync again.`,
      { files: open },
    );
}

/** A commit of these files would overwrite them in every clone, and with them the private scopes. */
function refuseTrackedLocals({ indexed }: StoreToCheck): void {
  const tracked = indexed.map(({ path }) => path).filter((path) => path.startsWith(`${LOCAL}/`));
  if (tracked.length > 0)
    throw refused(
      `git tracks files that belong to one clone alone: ${listed(tracked)}. A teammate's may have replaced yours: check the scopes of your private entries, run git rm -r --cached ${STORE_DIRECTORY}/${LOCAL}, then sync again.`,
      { files: tracked },
    );
}

/** A lost store, or a new one in its place, must not look as if all entries were removed. */
async function refuseMissing(repository: SyncRepository, { directory, committed, indexed }: StoreToCheck) {
  const known = committed.get(MANIFEST);
  if (known === undefined) return;
  const bytes = readStoreFile(directory, MANIFEST)?.bytes;
  if (bytes !== undefined && blobId(repository, asStored(repository, bytes)) === known) return;
  const before = (await readContents(repository, [known])).get(known);
  if (bytes !== undefined && !isOtherProject(bytes, before)) return;
  const isSkipped = indexed.some(({ path, isSkipped }) => path === MANIFEST && isSkipped);
  const remedy = isSkipped
    ? `git sparse-checkout add ${repository.prefix}`
    : repository.onOwnBranch
      ? `git restore --source=${shortBranch(repository)} -- ${STORE_DIRECTORY}`
      : `git checkout -- ${STORE_DIRECTORY}`;
  throw refused(
    bytes === undefined
      ? `The store is missing here; bring it back with \`${remedy}\`.`
      : `The store here is new and not the one on the branch; bring that back with \`${remedy}\`.`,
  );
}

const ManifestId = z.looseObject({ project: z.looseObject({ id: z.string() }) });

function isOtherProject(one: Buffer, other: Buffer | undefined): boolean {
  const [a, b] = [projectOf(one), projectOf(other)];
  return a !== undefined && b !== undefined && a !== b;
}

function projectOf(bytes: Buffer | undefined): string | undefined {
  try {
    return ManifestId.parse(JSON.parse((bytes ?? "").toString("utf8"))).project.id;
  } catch {
    return undefined;
  }
}

/**
 * An entry that became private keeps its metadata. If the metadata here differs from the team's, the entry was always
 * private and git replaced it with the team's entry of the same name: untracking that one would delete it for the team.
 */
async function refuseReplacedPrivate(
  repository: SyncRepository,
  { directory, committed, scopes }: StoreToCheck,
): Promise<void> {
  const owners = [...committed.keys()].flatMap((path) => ownerOf(path)?.path ?? []);
  const hidden = [...new Set(owners)].filter((path) => scopes.of(path) !== "public");
  const local = openSidecars(directory).read(LOCAL_METADATA).rows;
  const mine = hidden.filter((path) => local.has(path));
  if (mine.length === 0) return;
  const tables = [...new Set(mine.map((path) => metadataFile(folderOf(path))))];
  const ids = new Map(tables.map((file) => [file, committed.get(file)]));
  const contents = await readContents(
    repository,
    [...ids.values()].filter((id) => id !== undefined),
  );
  const replaced = mine.filter((path) => {
    const rows = rowsOf(contents.get(ids.get(metadataFile(folderOf(path))) ?? ""));
    return createdAt(rows[sidecarKey(path)]) !== createdAt(local.get(path));
  });
  if (replaced.length > 0)
    throw refused(
      `The branch has entries named like private ones of yours: ${listed(replaced)}. Rename yours, or make it public if the text is the team's; then sync again.`,
      { files: replaced },
    );
}

const createdAt = (row: unknown): string | undefined => EntryMetadata.safeParse(row).data?.created_at;

function rowsOf(bytes: Buffer | undefined): Readonly<Record<string, unknown>> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse((bytes ?? "").toString("utf8")));
  } catch {
    return {};
  }
}
