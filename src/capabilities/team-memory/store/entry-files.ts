import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { entryPath, FOLDER, type Kind, ownerOf, SKILL_FILE } from "./layout.ts";
import {
  assertRealFolders,
  decodeText,
  readRegularFile,
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
/** A file where an entry stands, as it was read last. */
export interface KnownFile {
  readonly version: Version | undefined;
  readonly entry: Entry | undefined;
  readonly problem: string | undefined;
}

export const modifiedAt = (directory: string, kind: Kind): number =>
  lstatSync(join(directory, FOLDER[kind]), { throwIfNoEntry: false })?.mtimeMs ?? -1;

export function listEntries(directory: string, kind: Kind, problems: string[]): string[] {
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
export function loadEntry(directory: string, path: string): KnownFile | undefined {
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

export function entryOf(path: string, text: string, { mtimeMs }: Version): Entry | undefined {
  const kind = ownerOf(path)?.kind;
  if (kind === undefined) return undefined;
  const name = path.slice(FOLDER[kind].length + 1);
  const key = kind === "skill" ? name.slice(0, -SKILL_FILE.length - 1) : name.slice(0, -".md".length);
  return { kind, key, path, text, modifiedMs: mtimeMs };
}
