import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { entryPath, FOLDER, KINDS, type Kind, ownerOf, SKILL_FILE } from "./layout.ts";
import {
  assertRealFolders,
  decodeText,
  readRegularFile,
  sameVersion,
  unreadable,
  type Version,
  versionAt,
} from "./read-file.ts";

export interface Entry {
  readonly kind: Kind;
  /** The file's stem; a skill's folder. */
  readonly key: string;
  readonly path: string;
  readonly text: string;
  readonly modifiedMs: number;
}
interface Known {
  readonly version: Version | undefined;
  readonly entry: Entry | undefined;
  readonly problem: string | undefined;
}

/** A sweep over many thousand files costs milliseconds: in a large store it is made at most this often. */
const SWEEP_EVERY_MS = 250;
const LARGE = 1000;

/** The entries of a store, in memory; `refresh` reads what changed on disk since. */
export function openCatalogue(directory: string) {
  const known = new Map<string, Known>();
  const folders = new Map<Kind, number>();
  const sorted = new Map<Kind, readonly Entry[]>();
  let folderProblems: string[] = [];
  let sweptAt = Number.NEGATIVE_INFINITY;
  let revision = 0;

  const set = (path: string, next: Known | undefined) => {
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
    const paths = new Set(pathsOf(directory, kind, problems));
    for (const path of paths) {
      const before = known.get(path);
      const version = before === undefined ? undefined : versionAt(directory, path);
      if (before !== undefined && sameVersion(before.version, version)) continue;
      const now = load(directory, path);
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

const modifiedAt = (directory: string, kind: Kind): number =>
  lstatSync(join(directory, FOLDER[kind]), { throwIfNoEntry: false })?.mtimeMs ?? -1;

function pathsOf(directory: string, kind: Kind, problems: string[]): string[] {
  const folder = FOLDER[kind];
  try {
    assertRealFolders(directory, `${folder}/x`);
    return readdirSync(join(directory, folder), { withFileTypes: true })
      .filter((item) => isEntryName(kind, item))
      .map(({ name }) => (kind === "skill" ? entryPath("skill", name) : `${folder}/${name}`));
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") {
      problems.push(thrown instanceof DomainError ? thrown.message : `${folder} cannot be listed`);
    }
    return [];
  }
}

function isEntryName(kind: Kind, item: Dirent): boolean {
  if (item.name.startsWith(".")) return false;
  return kind === "skill" ? item.isDirectory() : item.name.endsWith(".md") && !item.isDirectory();
}

/** The folders above were looked at when they were listed. */
function load(directory: string, path: string): Known | undefined {
  try {
    const read = readRegularFile(directory, path);
    if (read === undefined) return undefined;
    const text = decodeText(read.bytes, path);
    return { version: read.version, entry: entryOf(path, text, read.version), problem: undefined };
  } catch (thrown) {
    const problem =
      thrown instanceof DomainError ? thrown.message : unreadable(path, "it cannot be read").message;
    return { version: versionAt(directory, path), entry: undefined, problem };
  }
}

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

function entryOf(path: string, text: string, { mtimeMs }: Version): Entry | undefined {
  const kind = ownerOf(path)?.kind;
  if (kind === undefined) return undefined;
  const name = path.slice(FOLDER[kind].length + 1);
  const key = kind === "skill" ? name.slice(0, -SKILL_FILE.length - 1) : name.slice(0, -".md".length);
  return { kind, key, path, text, modifiedMs: mtimeMs };
}
