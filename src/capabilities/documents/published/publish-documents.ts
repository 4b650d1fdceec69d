import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../../../core/machine.ts";
import { type PublishedFile, publishFile } from "../../../core/replica/publish.ts";
import type { PublishedCommit, Replica } from "../../../core/replica/replica.ts";
import { copyDatabase } from "../../../core/store/copy-database.ts";
import { sqliteDriver } from "../../../core/store/sqlite-driver.ts";
import type { Call } from "../../../core/tool.ts";
import { openDatabase } from "../database.ts";
import { withOwnDocuments } from "../default-source.ts";
import { projectDirectory } from "../places.ts";
import { sync } from "../sync/sync.ts";
import { DOCUMENTS_KIND } from "../tables.ts";

const COPY = "documents-publish.sqlite";
/** Addresses and stamps of files are true only where they were read. The copy is thrown away if this fails. */
const WITHOUT_PLACE = `PRAGMA journal_mode = OFF; PRAGMA secure_delete = ON;
UPDATE documents SET source_url = NULL WHERE source_url IS NOT NULL;
UPDATE items SET stamp = '' WHERE stamp <> ''`;

export type PublishDocuments = typeof publishDocuments;
interface DocumentsPublication {
  readonly replica: Replica;
  readonly about: PublishedCommit;
  readonly isRepair: boolean;
}

/** The caller sees to it that only one process at a time publishes this work tree. */
export async function publishDocuments(
  given: Machine,
  { replica, about, isRepair }: DocumentsPublication,
  call: Pick<Call, "signal" | "progress">,
): Promise<PublishedFile> {
  const config = async () => withOwnDocuments(await given.config());
  const machine = { ...given, config };
  const access = openDatabase(machine);
  const copy = join(projectDirectory(machine), COPY);
  try {
    await sync(machine, access, { target: "all", full: false, dry_run: false }, call);
    const { store } = await access.forWriting();
    await copyDatabase(store, copy);
    const connection = sqliteDriver().open(copy, { readOnly: false });
    try {
      connection.exec(WITHOUT_PLACE);
    } finally {
      connection.close();
    }
    const { signal } = call;
    return await publishFile(copy, { ...about, kind: DOCUMENTS_KIND }, replica, { isRepair, signal });
  } finally {
    rmSync(copy, { force: true });
    await access.close();
  }
}
