import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { DomainError } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { byCodeUnit } from "../../../core/order.ts";
import type { Project } from "../entries/project.ts";
import { damagedScopes } from "../store/edit.ts";
import {
  FOLDER,
  folderOf,
  KINDS,
  LOCAL_METADATA,
  metadataFile,
  ownerOf,
  STORE_DIRECTORY,
  scopeFile,
  sidecarKey,
} from "../store/layout.ts";
import { readStoreFile } from "../store/read-file.ts";
import { sharingOf, storeFiles } from "../store/shared-files.ts";
import { openSidecars, printRows } from "../store/sidecar.ts";
import { packTar, type TarFile } from "./tar.ts";

export interface ExportedBundle {
  readonly file: string;
  readonly files: number;
  readonly private_entries: number;
}

/** A gzipped tar of what is shared; what is private goes with it only where a person says so, marked as private. */
export async function exportBundle(
  project: Project,
  {
    file,
    includePrivate,
    force,
    cwd,
  }: { file: string; includePrivate: boolean; force: boolean; cwd: string },
): Promise<ExportedBundle> {
  const { store } = project;
  const view = await store.view();
  if (!store.isInitialised()) throw new DomainError("not_found", "There is no context store to export yet.");
  const target = resolve(cwd, /\.[^./]+$/.test(file) ? file : `${file}.ctxbundle`);
  if (existsSync(target) && !force) {
    throw new DomainError("conflict", `There is a file already: ${file}. Use --force to replace it.`);
  }
  if (view.scopes.problems.length > 0) throw damagedScopes(view.scopes.problems);
  const isTaken = (path: string) =>
    sharingOf(path, view.scopes) === "shared" || (includePrivate && ownerOf(path) !== undefined);
  const paths = storeFiles(store.directory).filter((path) => isTaken(path) && path !== ".gitignore");
  const files: TarFile[] = paths.flatMap((path) => {
    const read = readStoreFile(store.directory, path);
    return read === undefined ? [] : [{ name: `${STORE_DIRECTORY}/${path}`, content: read.bytes }];
  });
  const hidden = includePrivate ? [...view.scopes.rows].filter(([path]) => view.at(path) !== undefined) : [];
  const all = [...withPrivateMetadata(store.directory, files, includePrivate), ...scopeFiles(hidden)];
  await writeFileAtomic(target, gzipSync(packTar(all.sort((a, b) => byCodeUnit(a.name, b.name)))), 0o600);
  return { file: target, files: all.length, private_entries: hidden.length };
}

/** In the form every program of this format reads. */
const scopeFiles = (hidden: readonly (readonly [string, string])[]): TarFile[] =>
  KINDS.map((kind) => FOLDER[kind]).flatMap((folder) => {
    const rows = new Map(
      hidden.filter(([path]) => folderOf(path) === folder).map(([path, scope]) => [sidecarKey(path), scope]),
    );
    if (rows.size === 0) return [];
    return [{ name: `${STORE_DIRECTORY}/${scopeFile(folder)}`, content: Buffer.from(printRows(rows)) }];
  });

function withPrivateMetadata(
  directory: string,
  files: readonly TarFile[],
  includePrivate: boolean,
): TarFile[] {
  const local = includePrivate
    ? openSidecars(directory).read(LOCAL_METADATA).rows
    : new Map<string, unknown>();
  if (local.size === 0) return [...files];
  const shared = openSidecars(directory);
  const names = new Set(KINDS.map((kind) => metadataFile(FOLDER[kind])));
  const merged = [...names].map((path) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const mine = [...local].filter(([entry]) => folderOf(entry) === folder);
    const rows = new Map([
      ...shared.read(path).rows,
      ...mine.map(([entry, row]) => [sidecarKey(entry), row] as const),
    ]);
    return { name: `${STORE_DIRECTORY}/${path}`, content: Buffer.from(printRows(rows)), rows };
  });
  const kept = files.filter(({ name }) => !names.has(name.slice(STORE_DIRECTORY.length + 1)));
  return [...kept, ...merged.filter(({ rows }) => rows.size > 0)];
}
