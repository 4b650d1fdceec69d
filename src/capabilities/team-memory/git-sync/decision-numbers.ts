import { join } from "node:path";
import { byCodeUnit } from "../../../core/order.ts";
import { moveToFree, numberOf, type Renumbered, renumberText } from "../merge/renumber.ts";
import type { FileIds } from "../merge/store-merge.ts";
import { startEdit } from "../store/edit.ts";
import { FOLDER } from "../store/layout.ts";
import { type MetadataTable, readMetadata } from "../store/metadata.ts";
import { readStoreFile } from "../store/read-file.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { storeFiles } from "../store/shared-files.ts";
import { openSidecars } from "../store/sidecar.ts";
import { commitChanges } from "../store/transaction.ts";

/**
 * Gives each decision on disk its own number, and moves its text, scope and metadata along. A private decision gives
 * way to a public one. Between public ones, only facts that all clones share decide, so that all clones choose the
 * same numbers. Call it under the lock.
 */
export async function renumberDuplicates(
  directory: string,
  scopes: ScopeTable,
  committed: FileIds,
): Promise<Renumbered[]> {
  const paths = storeFiles(join(directory, FOLDER.decision))
    .map((name) => `${FOLDER.decision}/${name}`)
    .filter((path) => numberOf(path) !== undefined);
  if (new Set(paths.map(numberOf)).size === paths.length) return [];
  const sidecars = openSidecars(directory);
  const metadata = readMetadata(sidecars);
  const moves = movesOf(paths, { scopes, committed, metadata });
  const edit = startEdit(sidecars, scopes);
  for (const move of moves) {
    const { from, to } = move;
    const scope = scopes.of(from);
    const record = edit.metadataOf(from);
    if (scope !== "public") edit.setScope(to, scope);
    edit.put(to, renumbered(directory, move));
    edit.remove(from);
    edit.setMetadata(from, undefined);
    edit.setMetadata(to, record);
    if (scope !== "public") edit.setScope(from, "public");
  }
  await commitChanges(directory, edit.changes());
  return moves;
}

interface DecisionFacts {
  readonly scopes: ScopeTable;
  readonly committed: FileIds;
  readonly metadata: MetadataTable;
}

function movesOf(paths: readonly string[], { scopes, committed, metadata }: DecisionFacts): Renumbered[] {
  const isPrivate = (path: string) => scopes.of(path) !== "public";
  const madeAt = (path: string) => metadata.of(path)?.created_at ?? "";
  const ranked = paths.toSorted(
    (a, b) =>
      Number(isPrivate(a)) - Number(isPrivate(b)) ||
      Number(!committed.has(a)) - Number(!committed.has(b)) ||
      byCodeUnit(madeAt(a), madeAt(b)) ||
      byCodeUnit(a, b),
  );
  const first = new Map<number | undefined, string>();
  for (const path of ranked) if (!first.has(numberOf(path))) first.set(numberOf(path), path);
  const toMove = ranked.filter((path) => first.get(numberOf(path)) !== path);
  // Private decisions must not influence the numbers of the team.
  const ofTeam = [...paths, ...metadata.paths()].filter((path) => !isPrivate(path));
  const publicMoves = moveToFree(
    toMove.filter((path) => !isPrivate(path)),
    ofTeam,
  );
  const all = [...paths, ...metadata.paths(), ...publicMoves.map(({ to }) => to)];
  return [...publicMoves, ...moveToFree(toMove.filter(isPrivate), all)];
}

/** Byte by byte, because the file may not be valid UTF-8. */
function renumbered(directory: string, move: Renumbered): Buffer {
  const bytes = readStoreFile(directory, move.from)?.bytes ?? Buffer.alloc(0);
  return Buffer.from(renumberText(bytes.toString("latin1"), move), "latin1");
}
