import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { type ClientConfigFile, hashOf, readConfigFile } from "../edit/config-file.ts";
import { firstBytes, type Journal, type JournalRecord } from "./journal.ts";
import { type PlannedFile, rowOf } from "./plan.ts";
import type { SetupRow } from "./setup-report.ts";

interface SetupRecords {
  readonly journal: Journal;
  /** The project that is set up. */
  readonly root: string;
}

/** Writes one file after another. Each is recorded first, so that everything can be undone even after a kill. */
export async function writeAll(planned: readonly PlannedFile[], records: SetupRecords): Promise<SetupRow[]> {
  const rows: SetupRow[] = [];
  for (const plan of planned) {
    const problem = plan.change === undefined ? undefined : await write(plan, plan.change, records);
    rows.push(
      problem === undefined ? rowOf(plan) : { ...rowOf(plan), action: "refused", note: problem, diff: "" },
    );
  }
  return rows;
}

interface PlannedChange {
  readonly before: ClientConfigFile;
  readonly after: Buffer;
}

async function write(
  plan: PlannedFile,
  change: PlannedChange,
  { journal, root }: SetupRecords,
): Promise<string | undefined> {
  const { path, bytes } = change.before;
  const now = readConfigFile(plan.file);
  if ("refused" in now || hashOf(now.bytes) !== hashOf(bytes)) return "it changed while it was being planned";
  const records = journal.read();
  const known = records.find(({ file }) => file === path);
  await journal.write([...records.filter((each) => each !== known), recordOf(plan, change, { known, root })]);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, change.after);
    return undefined;
  } catch (thrown) {
    await journal.write(records);
    return `it cannot be written (${errnoOf(thrown) ?? "unknown error"})`;
  }
}

interface EarlierRecord {
  readonly known: JournalRecord | undefined;
  readonly root: string;
}

/** The record of a file keeps the bytes before our first write, unless somebody else changed the file since. */
function recordOf(
  { client, scope }: PlannedFile,
  { before, after }: PlannedChange,
  { known, root }: EarlierRecord,
): JournalRecord {
  const hash = hashOf(before.bytes);
  const isOurs = known !== undefined && (known.after.includes(hash) || hash === hashOf(firstBytes(known)));
  return {
    file: before.path,
    client,
    scope,
    root,
    before: known ? known.before : (before.bytes?.toString("base64") ?? null),
    after: [...(known?.after ?? []), hashOf(after)],
    made: known?.made ?? missingDirectories(before.path),
    mixed: known !== undefined && (known.mixed || !isOurs),
  };
}

function missingDirectories(file: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  return missing;
}
