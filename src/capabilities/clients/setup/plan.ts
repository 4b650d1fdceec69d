import {
  type ClientId,
  type KnownClient,
  SERVER_NAME,
  type ServerStart,
  type SetupScope,
  type UserEnvironment,
} from "../client.ts";
import { type ClientConfigFile, encoded, readConfigFile } from "../edit/config-file.ts";
import { withEntry } from "../edit/entry-in-text.ts";
import { fileDiff } from "../edit/file-diff.ts";
import { tomlSnippet } from "../edit/toml-edit.ts";
import { nested } from "../edit/value-path.ts";
import type { SetupRow } from "./setup-report.ts";

/** What setup would do to one file. */
export interface PlannedFile {
  readonly client: ClientId;
  readonly scope: SetupScope;
  readonly file: string;
  readonly action: "create" | "change" | "unchanged" | "refused";
  /** Why a file is refused, or what to do after it is written. */
  readonly note: string;
  readonly diff: string;
  /** The file that was read and the bytes to write; only if something changes. */
  readonly change?: { readonly before: ClientConfigFile; readonly after: Buffer };
}

/** The plan as a row of the report. */
export const rowOf = ({ change: _change, ...row }: PlannedFile): SetupRow => row;

/** What our entry would change in the file of a client. It writes nothing. */
export function planFor(
  client: KnownClient,
  scope: SetupScope,
  { where, start }: { where: UserEnvironment; start: ServerStart },
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
  const edited = "refused" in before ? before : withEntry(client, before.text, client.entry(start));
  if ("refused" in before || "refused" in edited)
    return { ...about, action: "refused", note: "refused" in edited ? edited.refused : "" };
  if (before.bytes !== undefined && edited.text === before.text)
    return { ...about, action: "unchanged", note: "our entry is already there" };
  return {
    ...about,
    action: before.bytes === undefined ? "create" : "change",
    note: client.afterwards?.[scope] ?? "",
    diff: fileDiff(file, before.bytes && before.text, edited.text),
    change: { before, after: encoded(before, edited.text) },
  };
}

/** Only the entry, as it would be in the client's file. */
export function snippetFor(client: KnownClient, start: ServerStart): string {
  const path = [...client.servers(undefined), SERVER_NAME];
  const entry = client.entry(start);
  if (client.format === "toml") return tomlSnippet(path, entry);
  return `${JSON.stringify(nested(path, entry), null, 2)}\n`;
}
