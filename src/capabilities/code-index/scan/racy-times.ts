import type { PreparedFiles } from "../prepare/prepare-files.ts";

/** A file changed this shortly before we looked may change again within the same tick of its clock. */
const RACY_MS = 2_000;

export const isRacy = (ctimeMs: number, lookedAt: number): boolean => ctimeMs >= lookedAt - RACY_MS;

/** A time of zero never matches, so a file that may change unseen is read again next time. */
export function withoutRacyTimes(batch: PreparedFiles, lookedAt: number): PreparedFiles {
  const steady = <F extends { readonly ctimeMs: number }>(file: F): F =>
    isRacy(file.ctimeMs, lookedAt) ? { ...file, ctimeMs: 0 } : file;
  return {
    ...batch,
    files: batch.files.map(steady),
    unchanged: batch.unchanged.map(steady),
    left: batch.left.map((entry) => ({ ...entry, file: steady(entry.file) })),
  };
}
