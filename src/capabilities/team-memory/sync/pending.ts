import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { PENDING_CONFLICTS } from "../store/layout.ts";
import type { Place } from "../store/locate.ts";
import { readStoreFile } from "../store/read-file.ts";

const PendingFile = z.looseObject({
  /** Relative to the project, as the tools name it. */
  file_path: z.string(),
  kind: z.enum(["content", "add/add", "modify/delete"]).catch("content"),
  details: z.array(z.string()).catch([]),
  ours_content: z.string().nullable(),
  theirs_content: z.string().nullable(),
  base_content: z.string().nullable(),
  resolved: z.boolean(),
  resolution: z.string().nullable(),
});
export type PendingFile = z.infer<typeof PendingFile>;

/** A merge that waits for decisions, bound to the commits it was made from. */
export const Pending = z.looseObject({
  conflict_id: z.string(),
  created_at: z.string(),
  ours_commit: z.string().nullable(),
  theirs_commit: z.string(),
  base_commit: z.string().nullable(),
  auto_resolved: z.array(z.string()),
  conflicts: z.array(PendingFile),
});
export type Pending = z.infer<typeof Pending>;

/** Survives restarts and is seen by every process; a file that is not ours or is torn reads as none. */
export function readPending({ directory }: Place): Pending | undefined {
  try {
    const bytes = readStoreFile(directory, PENDING_CONFLICTS)?.bytes;
    return bytes === undefined ? undefined : Pending.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}

export const writePending = ({ directory }: Place, pending: Pending): Promise<void> =>
  writeFileAtomic(join(directory, PENDING_CONFLICTS), `${JSON.stringify(pending, null, 2)}\n`, 0o600);

export const clearPending = ({ directory }: Place): Promise<void> =>
  rm(join(directory, PENDING_CONFLICTS), { force: true });
