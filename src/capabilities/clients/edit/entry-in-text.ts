import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type KnownClient, SERVER_NAME, type ServerEntry } from "../client.ts";
import type { FileRefusal } from "./config-file.ts";
import { removeJsonEntry, setJsonEntry } from "./json-edit.ts";
import { readJsonc } from "./json-text.ts";
import { readToml, removeTomlEntry, setTomlEntry } from "./toml-edit.ts";
import { plain, valueAt } from "./value-path.ts";

const Existing = z.record(z.string(), z.unknown());
type Edited = { readonly text: string } | FileRefusal;

/** The text with our entry. Fields that people added to the entry, such as a time limit, stay. */
export function withEntry(client: KnownClient, text: string, wanted: ServerEntry): Edited {
  const found = findEntry(client, text);
  return "refused" in found ? found : put(client, text, { found, entry: merged(found.entry, wanted) });
}

/** The text with the entry of `first` instead of ours, or without an entry. Unchanged if our entry is not there. */
export function withEarlierEntry(client: KnownClient, text: string, first: string | undefined): Edited {
  const found = findEntry(client, text);
  if ("refused" in found) return found;
  if (found.entry === undefined) return { text };
  const earlier = findEntry(client, first ?? "");
  if ("refused" in earlier || earlier.entry === undefined)
    return client.format === "json" ? removeJsonEntry(text, found.path) : removeTomlEntry(text, found.path);
  const entry = Existing.safeParse(earlier.entry);
  if (!entry.success) return { refused: "the entry it had before cannot be put back" };
  return put(client, text, { found, entry: entry.data });
}

interface FoundEntry {
  readonly path: readonly string[];
  readonly entry: unknown;
}

function findEntry(client: KnownClient, text: string): FoundEntry | FileRefusal {
  const read = client.format === "json" ? readJsonc(text) : readToml(text);
  if ("refused" in read) return read;
  const path = [...client.servers(read.value), SERVER_NAME];
  return { path, entry: valueAt(read.value, path) };
}

function put(
  client: KnownClient,
  text: string,
  { found, entry }: { found: FoundEntry; entry: ServerEntry },
): Edited {
  if (found.entry !== undefined && isDeepStrictEqual(plain(found.entry), plain(entry))) return { text };
  return client.format === "json"
    ? setJsonEntry(text, found.path, entry)
    : setTomlEntry(text, found.path, entry);
}

function merged(existing: unknown, wanted: ServerEntry): ServerEntry {
  const known = Existing.safeParse(existing);
  if (!known.success) return wanted;
  const entry: Record<string, unknown> = { ...known.data, ...wanted };
  for (const name of ["env", "environment"]) {
    const both = [known.data[name], wanted[name]].map((value) => Existing.safeParse(value).data);
    if (wanted[name] !== undefined) entry[name] = { ...both[0], ...both[1] };
  }
  return entry;
}
