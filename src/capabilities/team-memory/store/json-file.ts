import type { z } from "zod";
import type { StoreEdit } from "./edit.ts";
import { LOCAL } from "./layout.ts";
import { printJson } from "./sidecar.ts";
import type { MemoryStore } from "./store.ts";

/** A small JSON file of the store; what is missing or damaged reads as `{}` does. */
export function readJson<Schema extends z.ZodType>(
  store: MemoryStore,
  path: string,
  schema: Schema,
): z.output<Schema> {
  return schema.parse(parse(store, path) ?? {});
}

/** A damaged file is set aside before it is written anew: it may be repaired by hand. */
export function putJson(store: MemoryStore, edit: StoreEdit, path: string, value: object): void {
  if (parse(store, path) === undefined) {
    const damaged = textOf(store, path);
    if (damaged !== undefined) edit.put(damagedFile(path), damaged);
  }
  edit.put(path, printJson(value));
}

/** Where what could not be read is set aside. */
export const damagedFile = (path: string): string => `${LOCAL}/damaged/${path.replaceAll("/", "-")}`;

function parse(store: MemoryStore, path: string): object | undefined {
  try {
    const value: unknown = JSON.parse(textOf(store, path) ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(store: MemoryStore, path: string): string | undefined {
  try {
    return store.readText(path);
  } catch {
    return undefined;
  }
}
