import { DomainError } from "../../../core/errors.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { namesFor, nearestName, normaliseKey, removableNames } from "../store/keys.ts";
import { type EntryKind, entryPath, KINDS } from "../store/layout.ts";
import { parseScope } from "../store/scopes.ts";
import type { StoreView } from "../store/store.ts";
import { checkText } from "./check-text.ts";
import { findContradictions } from "./contradictions.ts";
import { aboutEntry, type MemoryProject, type MemoryWriter, makeRemovable, sign } from "./project.ts";
import { type AddedText, type Removal, SIMILAR_ENTRY, type SimilarEntry, type TextEntry } from "./schemas.ts";
import { findSimilar } from "./similar.ts";

export type TextEntryKind = Extract<EntryKind, "knowledge" | "convention">;
export interface NewText {
  readonly key: string;
  readonly content: string;
  readonly scope?: string | undefined;
  readonly anchors?: readonly string[] | undefined;
  /** Refuses a new entry if another one says nearly the same. */
  readonly mustBeNew?: boolean | undefined;
}
/** Knowledge and conventions: Markdown under a key, stored byte for byte. */
export async function addText(
  project: MemoryProject,
  { kind, ...text }: NewText & { readonly kind: TextEntryKind },
  writer: MemoryWriter,
): Promise<AddedText> {
  const scope = parseScope(text.scope ?? "");
  checkText(
    [
      { name: "key", text: text.key },
      { name: "content", text: text.content },
    ],
    writer,
  );
  return project.store.write({ purpose: `adding ${kind}`, signal: writer.signal }, async (edit, view) => {
    const existing = existingKey(view, kind, text.key);
    const key = existing ?? normaliseKey(text.key);
    const path = entryPath(kind, key);
    const problems = [...view.scopes.problems, ...view.metadata.problems];
    if (scope !== undefined && scope !== edit.scopeOf(path)) edit.setScope(path, scope);
    edit.put(path, text.content);
    await sign(project, edit, { path, actor: writer.actor, anchored: text.anchors });
    const similar = findSimilar(text.content, everyEntry(view), path);
    if (text.mustBeNew && existing === undefined && similar[0] !== undefined) throw alreadyThere(similar[0]);
    const contradicts = findContradictions(text.content, view);
    return {
      key,
      ...(key !== text.key && { requested_key: text.key }),
      created: existing === undefined,
      scope: edit.scopeOf(path),
      ...(similar.length > 0 && { similar }),
      ...(contradicts.length > 0 && { contradicts }),
      ...(problems.length > 0 && { warnings: problems }),
    };
  });
}

export async function getText(project: MemoryProject, kind: TextEntryKind, key: string): Promise<TextEntry> {
  const view = await project.store.view();
  const entry = findText(view, kind, key);
  if (entry === undefined) throw noEntry(kind, key);
  project.noteRead(entry.path);
  return { key: entry.key, content: entry.text, ...(await aboutEntry(project, view, entry)) };
}

export async function listText(project: MemoryProject, kind: TextEntryKind): Promise<TextEntry[]> {
  const view = await project.store.view();
  const listed: TextEntry[] = [];
  for (const entry of view.all(kind)) {
    // A list of conventions shows their text, so it counts as a read; a list of knowledge shows only names.
    if (kind === "convention") project.noteRead(entry.path);
    listed.push({ key: entry.key, content: entry.text, ...(await aboutEntry(project, view, entry)) });
  }
  return listed;
}

/** Takes the exact key. If there is no such entry, nothing is written. */
export async function removeText(
  project: MemoryProject,
  { kind, key }: { kind: TextEntryKind; key: string },
  { signal }: MemoryWriter,
): Promise<Removal> {
  const view = await project.store.view();
  const found = removableNames(key).find((name) => view.has(entryPath(kind, name)));
  if (found === undefined) {
    const known = view.all(kind).map((entry) => entry.key);
    return notRemoved(nearestName(key, known, normaliseKey));
  }
  const path = entryPath(kind, found);
  await makeRemovable(project, path);
  const isRemoved = await project.store.write({ purpose: `removing ${kind}`, signal }, (edit, view) => {
    if (!view.has(path)) return false;
    edit.remove(path);
    edit.setMetadata(path, undefined);
    if (view.scopes.rows.has(path)) edit.setScope(path, "public");
    return true;
  });
  return isRemoved ? { status: "removed" } : notRemoved(undefined);
}

export const notRemoved = (nearest: string | undefined): Removal => ({
  status: "not_found",
  ...(nearest !== undefined && { did_you_mean: nearest }),
});

/** Throws if it exists but cannot be read. */
export function findText(view: StoreView, kind: TextEntryKind, key: string): MemoryEntry | undefined {
  const found = existingKey(view, kind, key);
  return found === undefined ? undefined : view.find(kind, found);
}

/** Also for an entry that cannot be read. */
const existingKey = (view: StoreView, kind: TextEntryKind, key: string): string | undefined =>
  namesFor(key, normaliseKey).find((name) => view.has(entryPath(kind, name)));

export const everyEntry = (view: StoreView): readonly MemoryEntry[] =>
  KINDS.flatMap((kind) => view.all(kind));

const alreadyThere = ({ type, key }: SimilarEntry) =>
  new DomainError(
    "conflict",
    `Nothing was written: ${type} '${key}' says nearly the same. Give key '${key}' to update it, or another key to keep both.`,
    { reason: SIMILAR_ENTRY, details: { type, key } },
  );

const TITLE = {
  knowledge: "Knowledge entry",
  convention: "Convention",
  decision: "Decision",
  skill: "Skill",
} as const satisfies Record<EntryKind, string>;

export const noEntry = (kind: EntryKind, key: string) =>
  new DomainError("not_found", `${TITLE[kind]} '${key}' not found`, { reason: "no_entry" });
