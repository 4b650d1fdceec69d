import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { unifiedDiff } from "../../core/diff/unified.ts";
import { type ConfigFile, encoded, type Refusal, readConfigFile } from "./config-file.ts";
import { readJsonc, removeJsonEntry, setJsonEntry, valueAt } from "./json-edit.ts";
import {
  type ClientId,
  type Entry,
  type KnownClient,
  type Scope,
  SERVER_NAME,
  type Start,
  type Surroundings,
} from "./known-clients.ts";
import type { SetupRow } from "./setup-report.ts";
import { readToml, removeTomlEntry, setTomlEntry, tomlSnippet } from "./toml-edit.ts";

/** What setup would do to one file. */
export interface PlannedFile {
  readonly client: ClientId;
  readonly scope: Scope;
  readonly file: string;
  readonly action: "create" | "change" | "unchanged" | "refused";
  /** Why a file is refused, or what to do once it is written. */
  readonly note: string;
  readonly diff: string;
  /** The file as it was read and the bytes to write; only where something changes. */
  readonly change?: { readonly before: ConfigFile; readonly after: Buffer };
}

/** A plan as a report tells it. */
export const rowOf = ({ change: _change, ...row }: PlannedFile): SetupRow => row;

const Existing = z.record(z.string(), z.unknown());

/** Reads a client's file and says what our entry changes in it. Writes nothing. */
export function planFor(
  client: KnownClient,
  scope: Scope,
  { where, start }: { where: Surroundings; start: Start },
): PlannedFile {
  const file = client.file(scope, where);
  const about = { client: client.id, scope, file: file ?? "", diff: "" };
  if (file === undefined)
    return {
      ...about,
      action: "refused",
      note: `${client.title} has no file for one project; use --scope user`,
    };
  const before = readConfigFile(file, scope === "project" ? where.root : undefined);
  const edited = "refused" in before ? before : edit(client, before.text, start);
  if ("refused" in before || "refused" in edited)
    return { ...about, action: "refused", note: "refused" in edited ? edited.refused : "" };
  if (before.bytes !== undefined && edited.text === before.text)
    return { ...about, action: "unchanged", note: "our entry is there already" };
  return {
    ...about,
    action: before.bytes === undefined ? "create" : "change",
    note: client.afterwards?.[scope] ?? "",
    diff: diffOf(file, before, edited.text),
    change: { before, after: encoded(before, edited.text) },
  };
}

/** The entry alone, as it would stand in the client's file. */
export function snippetFor(client: KnownClient, start: Start): string {
  const path = [...client.servers(undefined), SERVER_NAME];
  const entry = client.entry(start);
  if (client.format === "toml") return tomlSnippet(path, entry);
  return `${JSON.stringify(
    path.reduceRight<Entry>((value, key) => ({ [key]: value }), entry),
    null,
    2,
  )}\n`;
}

/** The text of a client's file without our entry. */
export function withoutEntry(client: KnownClient, text: string): { readonly text: string } | Refusal {
  const read = client.format === "json" ? readJsonc(text) : readToml(text);
  if ("refused" in read) return read;
  const path = [...client.servers(read.value), SERVER_NAME];
  return client.format === "json" ? removeJsonEntry(text, path) : removeTomlEntry(text, path);
}

export const diffOf = (file: string, before: ConfigFile, after: string | undefined): string =>
  unifiedDiff(
    { label: before.bytes === undefined ? "/dev/null" : file, text: before.text },
    { label: after === undefined ? "/dev/null" : file, text: after ?? "" },
  );

/** What people added to our entry, such as a time limit, stays. */
function edit(client: KnownClient, text: string, start: Start): { readonly text: string } | Refusal {
  const read = client.format === "json" ? readJsonc(text) : readToml(text);
  if ("refused" in read) return read;
  const path = [...client.servers(read.value), SERVER_NAME];
  const existing = valueAt(read.value, path);
  const entry = merged(existing, client.entry(start));
  if (existing !== undefined && isDeepStrictEqual(plain(existing), plain(entry))) return { text };
  return client.format === "json" ? setJsonEntry(text, path, entry) : setTomlEntry(text, path, entry);
}

function merged(existing: unknown, wanted: Entry): Entry {
  const known = Existing.safeParse(existing);
  if (!known.success) return wanted;
  const entry: Record<string, unknown> = { ...known.data, ...wanted };
  for (const name of ["env", "environment"]) {
    const both = [known.data[name], wanted[name]].map((value) => Existing.safeParse(value).data);
    if (wanted[name] !== undefined) entry[name] = { ...both[0], ...both[1] };
  }
  return entry;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
