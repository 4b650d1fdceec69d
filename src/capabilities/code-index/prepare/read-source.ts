import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { errnoOf } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import type { LanguageId } from "../../../core/parse/parse.ts";
import { MAX_SOURCE_BYTES } from "../scan/discover.ts";

export interface SourceBytes {
  readonly bytes: Buffer;
  readonly hash: string;
}
/** Why a file is not indexed. */
export interface SourceRefusal {
  /** `undefined` if nobody needs to know, as for a file that was deleted meanwhile. */
  readonly error: string | undefined;
  /** Whether it holds until the file changes. A file that cannot be read now may be readable next time. */
  readonly isFinal: boolean;
}

/** People write 30 to 100 bytes on a line; tables of data in code have about 300. */
const MINIFIED_BYTES_PER_LINE = 400;
/** A smaller file may be one long line that a person wrote. */
const MIN_MINIFIED_BYTES = 2_000;
/** Long enough for the banner, which names the library. */
const BEGINNING_BYTES = 1_000;
const LINE_END = 10;
/** In other languages a long line is a table between functions that people do search for. */
const MINIFIED_LANGUAGES: ReadonlySet<LanguageId> = new Set(["javascript", "css", "sql"]);
/** People do search for the symbols of a small generated file, such as the stubs of a protocol. */
const MIN_GENERATED_BYTES = 256_000;
const GENERATED_MARK =
  /@generated\b|\b(?:auto(?:matically)?[- ]?)?generated (?:by|from|file|code|with|using|automatically)\b|\bdo not (?:edit|modify)\b/i;

/** Never follows a link: a file may have been replaced by one since the scan. */
export function readSource(path: string, language: LanguageId | undefined): SourceBytes | SourceRefusal {
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

/** Whether only the beginning of a file is indexed: nobody searches for the symbols of minified or large generated files. */
export const isBrief = (bytes: Buffer, language: LanguageId | undefined): boolean =>
  language !== undefined && (isMinified(bytes, language) || isLargeAndGenerated(bytes));

/** Whether a program wrote this file for browsers, or dumped a database. */
function isMinified(bytes: Buffer, language: LanguageId): boolean {
  if (!MINIFIED_LANGUAGES.has(language) || bytes.length < MIN_MINIFIED_BYTES) return false;
  const mostLines = bytes.length / MINIFIED_BYTES_PER_LINE;
  let lines = 1;
  for (
    let at = bytes.indexOf(LINE_END);
    at >= 0 && lines <= mostLines;
    at = bytes.indexOf(LINE_END, at + 1)
  ) {
    lines++;
  }
  return lines <= mostLines;
}

function isLargeAndGenerated(bytes: Buffer): boolean {
  if (bytes.length < MIN_GENERATED_BYTES) return false;
  return GENERATED_MARK.test(bytes.toString("latin1", 0, BEGINNING_BYTES));
}

/** The part of a brief file that is indexed: enough to find it by its name and its banner. */
export const beginningOf = (bytes: Buffer): Buffer => bytes.subarray(0, BEGINNING_BYTES);
