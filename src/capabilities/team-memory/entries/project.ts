import type { Machine } from "../../../core/machine.ts";
import type { StoreEdit } from "../store/edit.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import type { EntryScope } from "../store/layout.ts";
import { locate, outsideAnyProject } from "../store/locate.ts";
import type { EntryMetadata } from "../store/metadata.ts";
import { type MemoryStore, openStore, type StoreView } from "../store/store.ts";
import { type Anchors, type ChangedAnchor, openAnchors } from "./anchors.ts";

/** Who writes, and whether they may override what is refused to agents. */
export interface MemoryWriter {
  readonly actor: string;
  readonly signal?: AbortSignal;
  readonly allowSecret?: boolean;
}

/** The store of the project this process serves, with what its entries' rules need. */
export interface MemoryProject {
  readonly store: MemoryStore;
  readonly anchors: Anchors;
  now(): string;
  /** Counts a direct read, so that an audit can name what nobody reads. */
  noteRead(path: string): void;
  readonly reads: ReadonlyMap<string, number>;
}

/** Finds the project anew at each call: a store may be made, or a repository, while we run. */
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

/** What every read tells of an entry beside its text. */
export interface EntryAbout {
  readonly scope: EntryScope;
  readonly author?: string;
  readonly created_at?: string;
  readonly updated_at: string;
  readonly anchors?: readonly string[];
  /** The code it is anchored to changed since it was written. */
  readonly suspect?: true;
  readonly changed?: readonly ChangedAnchor[];
}

/** Waits only where there are anchors to look at: lists are long. */
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

/** Records who wrote an entry and when, and what code it speaks of where that was said. */
export async function sign(
  { anchors, now }: MemoryProject,
  edit: StoreEdit,
  { path, actor, anchored }: { path: string; actor: string; anchored?: readonly string[] | undefined },
): Promise<void> {
  const { anchors: kept, ...before } = edit.metadataOf(path) ?? {};
  const recorded = anchored === undefined ? await renewed(anchors, kept) : await anchors.record(anchored);
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

/** Whoever writes an entry again vouches for it as the code is now; an anchor that is gone stays as it was. */
async function renewed(
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
