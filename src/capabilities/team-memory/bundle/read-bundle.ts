import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import {
  FOLDER,
  folderOf,
  metadataFile,
  SCHEMA_VERSION,
  type Scope,
  STORE_DIRECTORY,
  scopeFile,
  sidecarKey,
} from "../store/layout.ts";
import { Metadata } from "../store/metadata.ts";
import { requireScope } from "../store/scopes.ts";
import { isObject, type JsonObject } from "../store/sidecar.ts";
import { refused, type TarFile, unpackTar } from "./tar.ts";

const MAX_PACKED = 32 * 1024 * 1024;
const MAX_UNPACKED = 64 * 1024 * 1024;

/** The files of a bundle by their path in the store; anything suspicious refuses the whole. */
export function readBundle(path: string, asked: string): Map<string, Buffer> {
  let files: TarFile[];
  try {
    if (statSync(path).size > MAX_PACKED) throw refused("it is too large");
    files = unpackTar(gunzipSync(readFileSync(path), { maxOutputLength: MAX_UNPACKED }));
  } catch (thrown) {
    if (thrown instanceof DomainError) throw thrown;
    if (errnoOf(thrown) === "ENOENT") throw new DomainError("not_found", `No such file: ${asked}`);
    throw refused("it is not a gzipped tar, or too large when unpacked");
  }
  const inside = files.filter(({ name }) => name.startsWith(`${STORE_DIRECTORY}/`));
  if (inside.length === 0) throw refused("it holds no context store");
  const map = new Map(inside.map(({ name, content }) => [name.slice(STORE_DIRECTORY.length + 1), content]));
  const manifest = map.get("manifest.json");
  const version = manifest === undefined ? SCHEMA_VERSION : jsonIn(map, "manifest.json")?.["schema_version"];
  if (!/^0\.[1-4]\.\d+$/.test(String(version)))
    throw refused(`its schema ${String(version)} is not known here`);
  return map;
}

export function scopesIn(files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Scope> {
  const scopes = new Map<string, Scope>();
  for (const folder of new Set(Object.values(FOLDER))) {
    if (!files.has(scopeFile(folder))) continue;
    const rows = jsonIn(files, scopeFile(folder));
    // What might be private must not become public.
    if (rows === undefined) throw refused(`${scopeFile(folder)} in it cannot be read`);
    for (const [name, scope] of Object.entries(rows))
      scopes.set(`${folder}/${name}`, requireScope(String(scope)));
  }
  return scopes;
}

/** Reads each table once, however many entries ask for theirs. */
export function metadataIn(files: ReadonlyMap<string, Buffer>): (path: string) => Metadata | undefined {
  const tables = new Map<string, JsonObject | undefined>(
    Object.values(FOLDER).map((folder) => [folder, jsonIn(files, metadataFile(folder))]),
  );
  return (path) => {
    const rows = tables.get(folderOf(path)) ?? {};
    const row = Object.hasOwn(rows, sidecarKey(path)) ? rows[sidecarKey(path)] : undefined;
    return isObject(row) ? Metadata.safeParse(row).data : undefined;
  };
}

function jsonIn(files: ReadonlyMap<string, Buffer>, path: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(files.get(path)?.toString("utf8") ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
