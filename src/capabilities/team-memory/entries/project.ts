import type { Machine } from "../../../core/machine.ts";
import type { StoreEdit } from "../store/edit.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { locate, outsideAnyProject } from "../store/locate.ts";
import type { EntryMetadata } from "../store/metadata.ts";
import { type MemoryStore, openStore, type StoreView } from "../store/store.ts";
import { type Anchors, openAnchors } from "./anchors.ts";
import type { EntryAbout } from "./schemas.ts";

/** Who writes, and whether they may store what is refused to agents. */
export interface MemoryWriter {
  readonly actor: string;
  readonly signal?: AbortSignal;
  readonly allowSecret?: boolean | undefined;
}

/** The project that this process serves: its store, anchors, clock and read counts. */
export interface MemoryProject {
  readonly store: MemoryStore;
  readonly anchors: Anchors;
  now(): string;
  /** Counts a read, so that an audit can list entries that nobody reads. */
  noteRead(path: string): void;
  readonly reads: ReadonlyMap<string, number>;
}

/** Finds the project at each call: a store or a repository may be created while we run. */
export function openProjects(machine: Machine): () => MemoryProject {
  const open = new Map<string, MemoryProject>();
  return () => {
    const place = locate(machine.root);
    if (place === undefined) throw outsideAnyProject();
    const before = open.get(place.directory);
    if (before !== undefined) return before;
    const reads = new Map<string, number>();
    const project: MemoryProject = {
      store: openStore(place, machine),
      anchors: openAnchors(place.root),
      now: () => machine.now().toISOString(),
      noteRead: (path) => reads.set(path, (reads.get(path) ?? 0) + 1),
      reads,
    };
    open.set(place.directory, project);
    return project;
  };
}

/** Asynchronous only if there are anchors to check: lists are long. */
export function aboutEntry(
  { anchors }: MemoryProject,
  view: StoreView,
  entry: MemoryEntry,
): EntryAbout | Promise<EntryAbout> {
  const metadata = view.metadata.of(entry.path);
  const about: Mutable<EntryAbout> = {
    scope: view.scopes.of(entry.path),
    updated_at: metadata?.updated_at ?? new Date(entry.modifiedMs).toISOString(),
  };
  if (metadata?.author !== undefined) about.author = metadata.author;
  if (metadata?.created_at !== undefined) about.created_at = metadata.created_at;
  const { anchors: records } = metadata ?? {};
  if (records === undefined) return about;
  about.anchors = records.map(({ anchor }) => anchor);
  return anchors
    .changed(records)
    .then((changed) => (changed.length === 0 ? about : { ...about, suspect: true as const, changed }));
}
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Records who wrote an entry and when, and its anchors if some were given. */
export async function sign(
  { anchors, now }: MemoryProject,
  edit: StoreEdit,
  { path, actor, anchored }: { path: string; actor: string; anchored?: readonly string[] | undefined },
): Promise<void> {
  const { anchors: kept, ...before } = edit.metadataOf(path) ?? {};
  const recorded =
    anchored === undefined ? await renewAnchors(anchors, kept) : await anchors.record(anchored);
  const metadata: EntryMetadata = {
    ...before,
    author: actor,
    agent: actor,
    created_at: before.created_at ?? now(),
    updated_at: now(),
    ...(recorded.length > 0 && { anchors: recorded }),
  };
  edit.setMetadata(path, metadata);
}

/** Writing an entry again confirms it for the code of today. An anchor that points to nothing keeps its old record. */
async function renewAnchors(
  anchors: Anchors,
  kept: EntryMetadata["anchors"] = [],
): Promise<NonNullable<EntryMetadata["anchors"]>> {
  const records = [];
  for (const record of kept) {
    const [now] = await anchors.record([record.anchor]).catch(() => []);
    records.push(now ?? record);
  }
  return records;
}

/**
 * A transaction reads what it removes, so that it can be finished after a crash. An unreadable file, such as a link, is
 * first replaced by an empty file.
 */
export async function makeRemovable({ store }: MemoryProject, path: string): Promise<void> {
  const view = await store.view();
  if (!view.has(path) || view.at(path) !== undefined) return;
  await store.write({ purpose: "replacing an unreadable file" }, (edit) => edit.put(path, ""));
}
