import { byCodeUnit } from "../../../core/order.ts";
import { type Entry, entryOf, type KnownFile, listEntries, loadEntry, modifiedAt } from "./entry-files.ts";
import { KINDS, type Kind, ownerOf } from "./layout.ts";
import { sameVersion, versionAt } from "./read-file.ts";

/** A sweep over many thousand files costs milliseconds: in a large store it is made at most this often. */
const SWEEP_EVERY_MS = 250;
const LARGE = 1000;

/** The entries of a store, in memory; `refresh` reads what changed on disk since. */
export function openCatalogue(directory: string) {
  const known = new Map<string, KnownFile>();
  const folders = new Map<Kind, number>();
  const sorted = new Map<Kind, readonly Entry[]>();
  let folderProblems: string[] = [];
  let sweptAt = Number.NEGATIVE_INFINITY;
  let revision = 0;

  const set = (path: string, next: KnownFile | undefined) => {
    const before = known.get(path);
    if (next === undefined) known.delete(path);
    else known.set(path, next);
    if (before?.entry === undefined && next?.entry === undefined) return;
    revision += 1;
    const kind = before?.entry?.kind ?? next?.entry?.kind;
    const list = kind === undefined ? undefined : sorted.get(kind);
    if (kind !== undefined && list !== undefined)
      sorted.set(kind, replaced(list, before?.entry, next?.entry));
  };

  const sweep = (kind: Kind, problems: string[]) => {
    const paths = new Set(listEntries(directory, kind, problems));
    for (const path of paths) {
      const before = known.get(path);
      const version = before === undefined ? undefined : versionAt(directory, path);
      if (before !== undefined && sameVersion(before.version, version)) continue;
      const now = loadEntry(directory, path);
      if (now === undefined) paths.delete(path);
      else set(path, now);
    }
    for (const path of known.keys()) {
      if (ownerOf(path)?.kind === kind && !paths.has(path)) set(path, undefined);
    }
  };

  return {
    /** Changes with every change of any entry. */
    get revision() {
      return revision;
    },
    /** A writer need not know what was edited in place elsewhere; whoever reads does. */
    refresh({ forReading = true } = {}) {
      const isOld = forReading && performance.now() - sweptAt > SWEEP_EVERY_MS;
      const isDue = known.size <= LARGE || isOld;
      const problems: string[] = [];
      for (const kind of KINDS) {
        const changed = modifiedAt(directory, kind);
        if (isDue || folders.get(kind) !== changed) sweep(kind, problems);
        folders.set(kind, changed);
      }
      if (!isDue) return;
      folderProblems = problems;
      sweptAt = performance.now();
    },
    /** After our own write under the lock: what is known without reading it back. */
    applied(path: string, text: string | undefined) {
      const owner = ownerOf(path);
      if (owner?.path !== path) return;
      const version = versionAt(directory, path);
      if (text === undefined || version === undefined) set(path, undefined);
      else set(path, { version, entry: entryOf(path, text, version), problem: undefined });
      folders.set(owner.kind, modifiedAt(directory, owner.kind));
    },
    all(kind: Kind): readonly Entry[] {
      const before = sorted.get(kind);
      if (before !== undefined) return before;
      const entries = [...known.values()]
        .map(({ entry }) => entry)
        .filter((entry) => entry?.kind === kind)
        .filter((entry) => entry !== undefined)
        .sort((a, b) => byCodeUnit(a.key, b.key));
      sorted.set(kind, entries);
      return entries;
    },
    at: (path: string): Entry | undefined => known.get(path)?.entry,
    has: (path: string): boolean => known.has(path),
    paths: (kind: Kind): readonly string[] =>
      [...known.keys()].filter((path) => ownerOf(path)?.kind === kind),
    /** An entry's file that is there and cannot be read. */
    problemAt: (path: string): string | undefined => known.get(path)?.problem,
    problems: (): readonly string[] => [
      ...folderProblems,
      ...[...known.values()].map(({ problem }) => problem).filter((problem) => problem !== undefined),
    ],
  };
}
export type Catalogue = ReturnType<typeof openCatalogue>;

/** The list with one entry taken out or put in; a new one, for the old may be in use. */
function replaced(
  list: readonly Entry[],
  before: Entry | undefined,
  after: Entry | undefined,
): readonly Entry[] {
  const copy = [...list];
  const place = (key: string) => {
    let low = 0;
    let high = copy.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byCodeUnit(copy[middle]?.key ?? "", key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  if (before !== undefined) copy.splice(place(before.key), 1);
  if (after !== undefined) copy.splice(place(after.key), 0, after);
  return copy;
}
