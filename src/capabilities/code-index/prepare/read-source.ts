import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { errnoOf } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import type { LanguageId } from "../../../core/parse/parse.ts";
import { MAX_SOURCE_BYTES } from "../scan/discover.ts";

export interface ReadSource {
  readonly bytes: Buffer;
  readonly hash: string;
}
export interface Refusal {
  /** Told where a person would ask. */
  readonly error: string | undefined;
  /** As long as the file is the same; what could not be read this time may be readable next time. */
  readonly isFinal: boolean;
}

/** Opens without following a link, so that a file exchanged for one since the scan leads nowhere. */
export function readSource(path: string, language: LanguageId | undefined): ReadSource | Refusal {
  try {
    const handle = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const stat = fstatSync(handle);
      if (!stat.isFile()) return { error: undefined, isFinal: false };
      if (stat.size > MAX_SOURCE_BYTES) return { error: "the file is too large to index", isFinal: true };
      const bytes = readFileSync(handle);
      if (bytes.includes(0)) {
        return { error: language && "the file is binary, not source text", isFinal: true };
      }
      return { bytes, hash: sha256(bytes) };
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined) throw thrown;
    const isGone = code === "ENOENT" || code === "ELOOP";
    return { error: isGone ? undefined : `the file cannot be read (${code})`, isFinal: false };
  }
}
