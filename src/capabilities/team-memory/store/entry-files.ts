import type { Dirent } from "node:fs";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { type EntryKind, entryPath, FOLDER, KINDS, ownerOf, SKILL_FILE } from "./layout.ts";
import {
  decodeText,
  type FileVersion,
  listFolder,
  readRegularFile,
  sameVersion,
  unreadable,
  versionAt,
} from "./read-file.ts";

export interface MemoryEntry {
  readonly kind: EntryKind;
  /** The file name without `.md`; for a skill the name of its folder. */
  readonly key: string;
  readonly path: string;
  readonly text: string;
  readonly modifiedMs: number;
}

/** All entries of a store at one moment. */
export interface EntryTable {
  /** Sorted by key. */
  all(kind: EntryKind): readonly MemoryEntry[];
  /** By path. `undefined` if there is no entry or its file cannot be read. */
  at(path: string): MemoryEntry | undefined;
  /** True if the entry's file exists, even if it cannot be read. */
  has(path: string): boolean;
  /** Paths of all entry files of this kind, including unreadable ones. */
  paths(kind: EntryKind): readonly string[];
  /** Why the entry's file exists but cannot be read. */
  problemAt(path: string): string | undefined;
  readonly problems: readonly string[];
}

interface EntryFile {
  readonly version: FileVersion | undefined;
  readonly entry: MemoryEntry | undefined;
  readonly problem: string | undefined;
}

/**
 * Reads all entries. A file is read again only if it changed since the last call. An unchanged file keeps its `Entry`
 * object, so that what is computed from it (sketches, vectors) can be kept in a WeakMap.
 */
export function openEntryReader(directory: string): () => EntryTable {
  let known: ReadonlyMap<string, EntryFile> = new Map();
  return () => {
    const files = new Map<string, EntryFile>();
    const problems: string[] = [];
    for (const kind of KINDS) {
      for (const path of listEntries(directory, kind, problems)) {
        const before = known.get(path);
        const isSame = before !== undefined && sameVersion(before.version, versionAt(directory, path));
        const file = isSame ? before : loadEntry(directory, path);
        if (file !== undefined) files.set(path, file);
      }
    }
    known = files;
    return tableOf(files, problems);
  };
}

function tableOf(files: ReadonlyMap<string, EntryFile>, folderProblems: readonly string[]): EntryTable {
  return {
    all: (kind) =>
      [...files.values()]
        .flatMap(({ entry }) => (entry?.kind === kind ? [entry] : []))
        .sort((a, b) => byCodeUnit(a.key, b.key)),
    at: (path) => files.get(path)?.entry,
    has: (path) => files.has(path),
    paths: (kind) => [...files.keys()].filter((path) => ownerOf(path)?.kind === kind),
    problemAt: (path) => files.get(path)?.problem,
    problems: [...folderProblems, ...[...files.values()].flatMap(({ problem }) => problem ?? [])],
  };
}

function listEntries(directory: string, kind: EntryKind, problems: string[]): string[] {
  const folder = FOLDER[kind];
  try {
    return listFolder(directory, folder)
      .filter((item) => isEntryName(kind, item))
      .map(({ name }) => (kind === "skill" ? entryPath("skill", name) : `${folder}/${name}`));
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") {
      problems.push(thrown instanceof DomainError ? thrown.message : `${folder} cannot be listed`);
    }
    return [];
  }
}

function isEntryName(kind: EntryKind, item: Dirent): boolean {
  if (item.name.startsWith(".")) return false;
  return kind === "skill" ? item.isDirectory() : item.name.endsWith(".md") && !item.isDirectory();
}

/** `listEntries` has checked the folders above the file. */
function loadEntry(directory: string, path: string): EntryFile | undefined {
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

function entryOf(path: string, text: string, { mtimeMs }: FileVersion): MemoryEntry | undefined {
  const kind = ownerOf(path)?.kind;
  if (kind === undefined) return undefined;
  const name = path.slice(FOLDER[kind].length + 1);
  const key = kind === "skill" ? name.slice(0, -SKILL_FILE.length - 1) : name.slice(0, -".md".length);
  return { kind, key, path, text, modifiedMs: mtimeMs };
}
