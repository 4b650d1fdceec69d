import { isUtf8 } from "node:buffer";
import { byCodeUnit } from "../../../core/order.ts";
import { type ConflictKind, mergeFile } from "./file-merge.ts";
import type { Preference } from "./line-merge.ts";
import {
  DECISION_ROWS,
  numbersIn,
  type Renumbered,
  renumberDecisions,
  renumberRows,
  renumberText,
} from "./renumber.ts";

/** Path within the store → the id of its content. */
export type FileIds = ReadonlyMap<string, string>;
interface StoreVersions {
  readonly base: FileIds;
  readonly ours: FileIds;
  readonly theirs: FileIds;
}
/** The content of a path after the merge: an existing blob, or new text. */
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
  /** All files of the merged store; conflicts have the version of the preferred side. */
  readonly files: ReadonlyMap<string, MergedContent>;
  readonly conflicts: readonly FileConflict[];
  /** Files both sides changed that were merged without a conflict. */
  readonly merged: readonly string[];
  readonly renumbered: readonly Renumbered[];
}

type ReadContents = (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

/** Merges the files of a store. Reads only contents that both sides changed. */
export async function mergeStores(
  versions: StoreVersions,
  preference: Preference,
  read: ReadContents,
): Promise<MergedStore> {
  const { base, theirs } = versions;
  const renumbered = await renumber(versions, read);
  const moved = new Set(renumbered.map(({ from }) => from));
  const ours = new Map([...versions.ours].filter(([path]) => !moved.has(path)));
  const idsOf = (path: string): VersionIds => ({
    base: base.get(path),
    ours: ours.get(path),
    theirs: theirs.get(path),
  });
  const files = new Map<string, MergedContent>();
  const open: string[] = [];
  for (const path of [...new Set([...ours.keys(), ...theirs.keys()])].sort(byCodeUnit)) {
    const simple = mergeIds(idsOf(path));
    if (!simple.isMerged) open.push(path);
    else if (simple.id !== undefined) files.set(path, { id: simple.id });
  }
  const contents = await read(open.flatMap((path) => defined(Object.values(idsOf(path)))));
  const conflicts: FileConflict[] = [];
  const merged: string[] = [];
  for (const path of open) {
    const { content, conflict } = mergeOne(path, idsOf(path), { contents, preference });
    if (content !== undefined) files.set(path, content);
    if (conflict) conflicts.push(conflict);
    else merged.push(path);
  }
  for (const [path, content] of await moveDecisions(renumbered, { ours: versions.ours, files }, read)) {
    files.set(path, content);
  }
  return { files, conflicts, merged, renumbered };
}

interface VersionIds {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

function mergeIds({ base, ours, theirs }: VersionIds): { isMerged: boolean; id?: string | undefined } {
  if (ours === theirs || theirs === base) return { isMerged: true, id: ours };
  if (ours === base) return { isMerged: true, id: theirs };
  return { isMerged: false };
}

interface MergedEntry {
  readonly content: MergedContent | undefined;
  readonly conflict?: FileConflict;
}

function mergeOne(
  path: string,
  ids: VersionIds,
  { contents, preference }: { contents: ReadonlyMap<string, Uint8Array>; preference: Preference },
): MergedEntry {
  const bytes = defined(Object.values(ids)).map((id) => contents.get(id) ?? new Uint8Array());
  const text = (id: string | undefined) =>
    id === undefined ? undefined : Buffer.from(contents.get(id) ?? []).toString("utf8");
  const texts = { base: text(ids.base), ours: text(ids.ours), theirs: text(ids.theirs) };
  if (!bytes.every((content) => isUtf8(content))) {
    // Binary content cannot be merged and must not be decoded.
    const id = ids[preference];
    const kind = ids.base === undefined ? "add/add" : "content";
    return {
      content: id === undefined ? undefined : { id },
      conflict: { path, kind, details: ["not text, and changed by both sides"], ...texts },
    };
  }
  const { text: result, conflict } = mergeFile(path, texts, preference);
  return {
    content: result === undefined ? undefined : { text: result },
    ...(conflict && { conflict: { path, ...conflict, ...texts } }),
  };
}

/** The decisions that get a new number. Numbers of removed decisions stay taken. */
async function renumber({ base, ours, theirs }: StoreVersions, read: ReadContents): Promise<Renumbered[]> {
  const added = [...ours.keys()].filter((path) => !base.has(path));
  const known = [...theirs.keys()];
  if (renumberDecisions(added, known).length === 0) return [];
  const rows = await read(defined([ours.get(DECISION_ROWS), theirs.get(DECISION_ROWS)]));
  const reserved = [...rows.values()].flatMap((bytes) => numbersIn(Buffer.from(bytes).toString("utf8")));
  return renumberDecisions(added, known, reserved);
}

async function moveDecisions(
  renumbered: readonly Renumbered[],
  { ours, files }: { ours: FileIds; files: ReadonlyMap<string, MergedContent> },
  read: ReadContents,
): Promise<[string, MergedContent][]> {
  if (renumbered.length === 0) return [];
  const rows = files.get(DECISION_ROWS);
  const contents = await read(
    defined([...renumbered.map(({ from }) => ours.get(from)), rows && "id" in rows ? rows.id : undefined]),
  );
  const textOf = (content: MergedContent) =>
    "text" in content ? content.text : Buffer.from(contents.get(content.id) ?? []).toString("utf8");
  const moved = renumbered.map((move): [string, MergedContent] => [
    move.to,
    { text: renumberText(textOf({ id: ours.get(move.from) ?? "" }), move) },
  ]);
  return rows === undefined
    ? moved
    : [...moved, [DECISION_ROWS, { text: renumberRows(textOf(rows), renumbered) }]];
}

const defined = <T>(values: readonly (T | undefined)[]): T[] => values.filter((value) => value !== undefined);
