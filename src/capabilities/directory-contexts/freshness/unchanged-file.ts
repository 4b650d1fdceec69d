import { readBytes } from "../../../core/scan/read-text.ts";
import { statOf } from "./fingerprint.ts";
import { isStoredAs } from "./stored-form.ts";

/** Larger files are taken as changed when their size is all we know; hashing them would stall a list. */
const MAX_HASHED = 200_000_000;

/** Whether a file is still that blob. Remembered by stat, so that asking again reads nothing. */
export function openFileComparison(): (file: string, blob: string) => boolean {
  const verdicts = new Map<string, { readonly key: string; readonly isBlob: boolean }>();
  return (file, blob) => {
    const stat = statOf(file);
    if (!stat?.isFile()) return false;
    const key = `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}:${stat.ino}:${blob}`;
    const known = verdicts.get(file);
    if (known?.key === key) return known.isBlob;
    const read = readBytes(file, MAX_HASHED);
    // A file that may not be read cannot be said to be unchanged.
    const isBlob = "bytes" in read && isStoredAs(read.bytes, blob);
    verdicts.set(file, { key, isBlob });
    return isBlob;
  };
}
