import { realpathSync, rmdirSync, rmSync } from "node:fs";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { SERVER_NAME } from "../client.ts";
import { encoded, hashOf, readConfigFile } from "../edit/config-file.ts";
import { withEarlierEntry } from "../edit/entry-in-text.ts";
import { fileDiff } from "../edit/file-diff.ts";
import { clientOf } from "../known-clients.ts";
import { firstBytes, type Journal, type JournalRecord } from "./journal.ts";
import type { SetupInput, SetupReport, SetupRow } from "./setup-report.ts";

/** Undoes the writes for this project and for the user, newest first. */
export async function undoAll(
  root: string,
  journal: Journal,
  { clients, scope, plan }: SetupInput,
): Promise<SetupReport> {
  const isMeant = (record: JournalRecord) =>
    (clients.length === 0 || clients.includes(record.client)) &&
    (scope === undefined || scope === record.scope) &&
    (record.scope === "user" || realPath(record.root) === realPath(root));
  const rows: SetupRow[] = [];
  for (const record of journal.read().filter(isMeant).toReversed()) {
    const { row, change } = undoOf(record);
    rows.push(row);
    if (plan || row.action === "refused") continue;
    if (change !== undefined) await restore(record, change);
    await journal.write(journal.read().filter(({ file }) => file !== record.file));
  }
  return { files: rows, written: !plan };
}

/** The real path, so that links to the same directory are equal. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

interface Undo {
  readonly row: SetupRow;
  /** The bytes to restore; null if the file is deleted. */
  readonly change?: { readonly bytes: Buffer | null };
}

function undoOf(record: JournalRecord): Undo {
  const row = { client: record.client, scope: record.scope, file: record.file, diff: "" };
  const refuse = (why: string): Undo => ({
    row: { ...row, action: "refused", note: `${why}; remove the entry "${SERVER_NAME}" by hand` },
  });
  const now = readConfigFile(record.file);
  if ("refused" in now) return refuse(now.refused);
  const first = firstBytes(record);
  const firstText = first?.toString("utf8").replace(/^\uFEFF/, "");
  const hash = hashOf(now.bytes);
  if (now.bytes === undefined || hash === hashOf(first))
    return { row: { ...row, action: "unchanged", note: "nothing of ours is there" } };
  if (record.after.includes(hash) && !record.mixed) {
    const action = first === undefined ? "remove" : "change";
    const diff = fileDiff(record.file, now.text, firstText);
    return { row: { ...row, action, note: "as it was before", diff }, change: { bytes: first ?? null } };
  }
  const rest = withEarlierEntry(clientOf(record.client), now.text, firstText);
  if ("refused" in rest) return refuse(rest.refused);
  return {
    row: {
      ...row,
      action: rest.text === now.text ? "unchanged" : "change",
      note: "it was changed since, so only our entry goes",
      diff: fileDiff(record.file, now.text, rest.text),
    },
    change: { bytes: encoded(now, rest.text) },
  };
}

async function restore(record: JournalRecord, { bytes }: { readonly bytes: Buffer | null }): Promise<void> {
  if (bytes !== null) return writeFileAtomic(record.file, bytes);
  rmSync(record.file, { force: true });
  for (const folder of record.made) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not empty; it stays, and so do its parents.
      return;
    }
  }
}
