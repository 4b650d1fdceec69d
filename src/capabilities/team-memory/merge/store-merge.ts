import { byCodeUnit } from "../../../core/order.ts";
import { type ConflictKind, mergeFile } from "./file-merge.ts";
import type { Preference } from "./line-merge.ts";
import { type Renumbered, renumberDecisions, renumberText } from "./renumber.ts";

/** Path within the store → the id of its content. */
export type FileIds = ReadonlyMap<string, string>;
export interface StoreVersions {
  readonly base: FileIds;
  readonly ours: FileIds;
  readonly theirs: FileIds;
}
/** What a path holds after the merge: content that exists, or new text. */
export type MergedContent = { readonly id: string } | { readonly text: string };

export interface FileConflict {
  readonly path: string;
  readonly kind: ConflictKind;
  readonly details: readonly string[];
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}
export interface MergedStore {
  /** Every file of the merged store; conflicts stand as the preferred side has them. */
  readonly files: ReadonlyMap<string, MergedContent>;
  readonly conflicts: readonly FileConflict[];
  /** Files both sides changed that were merged without a conflict. */
  readonly merged: readonly string[];
  readonly renumbered: readonly Renumbered[];
}

/** Merges the files of a store. Contents are only read where both sides changed a file. */
export async function mergeStores(
  versions: StoreVersions,
  preference: Preference,
  read: (id: string) => Promise<string>,
): Promise<MergedStore> {
  const { base, theirs } = versions;
  const added = [...versions.ours.keys()].filter((path) => !base.has(path));
  const renumbered = renumberDecisions(added, [...theirs.keys()]);
  const files = new Map<string, MergedContent>();
  const conflicts: FileConflict[] = [];
  const merged: string[] = [];
  const ours = new Map([...versions.ours].filter(([path]) => !renumbered.some(({ from }) => from === path)));
  for (const { from, to } of renumbered) {
    files.set(to, { text: renumberText(await read(versions.ours.get(from) ?? ""), to) });
  }
  for (const path of [...new Set([...ours.keys(), ...theirs.keys()])].sort(byCodeUnit)) {
    const ids = { base: base.get(path), ours: ours.get(path), theirs: theirs.get(path) };
    const simple = mergeIds(ids);
    if (simple.isMerged) {
      if (simple.id !== undefined) files.set(path, { id: simple.id });
      continue;
    }
    const texts = await readAll(ids, read);
    const { text, conflict } = mergeFile(path, texts, preference);
    if (text !== undefined) files.set(path, { text });
    if (conflict) conflicts.push({ path, ...conflict, ...texts });
    else merged.push(path);
  }
  return { files, conflicts, merged, renumbered };
}

type Ids = { base: string | undefined; ours: string | undefined; theirs: string | undefined };

function mergeIds({ base, ours, theirs }: Ids): { isMerged: boolean; id?: string | undefined } {
  if (ours === theirs || theirs === base) return { isMerged: true, id: ours };
  if (ours === base) return { isMerged: true, id: theirs };
  return { isMerged: false };
}

async function readAll({ base, ours, theirs }: Ids, read: (id: string) => Promise<string>) {
  const text = async (id: string | undefined) => (id === undefined ? undefined : read(id));
  return { base: await text(base), ours: await text(ours), theirs: await text(theirs) };
}
