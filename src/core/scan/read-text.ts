import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { errnoOf } from "../errors.ts";
import { READ_SAFELY } from "../files/opened-path.ts";

type SkipReason = "missing" | "unreadable" | "not a file" | "too large" | "binary" | "not utf-8";
type ReadText = { readonly text: string } | { readonly skipped: SkipReason };

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** The bytes of a regular file, or the reason why it is skipped. Never blocks, never follows a link at the path's end. */
export function readBytes(
  file: string,
  maxBytes: number,
): { readonly bytes: Buffer } | { readonly skipped: SkipReason } {
  let handle: number | undefined;
  try {
    handle = openSync(file, READ_SAFELY);
    const info = fstatSync(handle);
    if (!info.isFile()) return { skipped: "not a file" };
    if (info.size > maxBytes) return { skipped: "too large" };
    return { bytes: readFileSync(handle) };
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return { skipped: "missing" };
    return { skipped: code === "ELOOP" || code === "ENXIO" ? "not a file" : "unreadable" };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** A file as text: UTF-8, or UTF-16 with a byte-order mark. Any other file is skipped, with the reason. */
export function readText(
  file: string,
  { maxBytes = 2_000_000 }: { readonly maxBytes?: number } = {},
): ReadText {
  const read = readBytes(file, maxBytes);
  return "skipped" in read ? read : decodeText(read.bytes);
}

/** Decodes bytes; the byte-order mark is dropped. */
export function decodeText(bytes: Uint8Array): ReadText {
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (mark === "255 254") return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (mark === "254 255") return { text: new TextDecoder("utf-16be").decode(bytes) };
  if (bytes.includes(0)) return { skipped: "binary" };
  try {
    return { text: strictUtf8.decode(bytes) };
  } catch {
    return { skipped: "not utf-8" };
  }
}
