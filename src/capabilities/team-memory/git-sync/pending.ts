import { lstatSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { PENDING_CONFLICTS } from "../store/layout.ts";
import type { StorePlace } from "../store/locate.ts";
import { storePath } from "../store/read-file.ts";
import { refused } from "./repository/repository.ts";

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

/** A merge that waits for decisions, with the commits it was made from. */
export const PendingMerge = z.looseObject({
  conflict_id: z.string(),
  created_at: z.string(),
  ours_commit: z.string().nullable(),
  theirs_commit: z.string(),
  base_commit: z.string().nullable(),
  auto_resolved: z.array(z.string()),
  conflicts: z.array(PendingFile),
});
export type PendingMerge = z.infer<typeof PendingMerge>;

/** The file holds three texts per conflict, so it may be much larger than one entry. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Survives restarts and is shared by all processes. An unreadable file is an error, not "no merge". */
export function readPending({ directory }: StorePlace): PendingMerge | undefined {
  const file = storePath(directory, PENDING_CONFLICTS);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  try {
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error("not a pending file");
    return PendingMerge.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (thrown) {
    throw new DomainError(
      "unavailable",
      "A merge is pending, but its file cannot be read. Abort the merge, then pull again.",
      { reason: "unreadable", next: { tool: "context_merge_abort" }, cause: thrown },
    );
  }
}

export function requirePending(place: StorePlace, purpose: string): PendingMerge {
  const pending = readPending(place);
  if (pending === undefined) throw noPending(purpose);
  return pending;
}

export const noPending = (purpose: string) => new DomainError("not_found", `No pending conflicts${purpose}`);

export function pendingFile(pending: PendingMerge, filePath: string): PendingFile {
  const file = pending.conflicts.find(({ file_path }) => file_path === filePath);
  if (file === undefined) throw new DomainError("not_found", `No unresolved conflict for ${filePath}`);
  return file;
}

export async function writePending({ directory }: StorePlace, pending: PendingMerge): Promise<void> {
  const texts = pending.conflicts.flatMap((file) => [
    file.ours_content,
    file.theirs_content,
    file.base_content,
  ]);
  const size = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const printed = size > MAX_BYTES ? "" : `${JSON.stringify(pending, null, 2)}\n`;
  if (printed === "" || Buffer.byteLength(printed) > MAX_BYTES)
    throw refused(
      "The conflicts are too large for the agent strategy. Pull with the strategy ours or theirs.",
    );
  await writeFileAtomic(join(directory, PENDING_CONFLICTS), printed, 0o600);
}

export const isPending = ({ directory }: StorePlace): boolean =>
  lstatSync(join(directory, PENDING_CONFLICTS), { throwIfNoEntry: false }) !== undefined;

export const clearPending = ({ directory }: StorePlace): Promise<void> =>
  rm(join(directory, PENDING_CONFLICTS), { force: true });
