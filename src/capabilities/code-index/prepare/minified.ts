import type { LanguageId } from "../../../core/parse/parse.ts";

/** People write 30 to 100 bytes on a line, tables of data among their code 300. */
const BYTES_PER_LINE = 400;
/** Less is a line that somebody wrote, however long. */
const LEAST_BYTES = 2_000;
/** Holds the banner, which names the library. */
const BEGINNING_BYTES = 1_000;
const LINE_END = 10;

/**
 * Whether this was written by a program for a browser. Each of its hundreds of symbols would be found with the words of
 * all the others, for they stand on one line; nobody looks for any of them.
 */
export function isMinified(bytes: Buffer, language: LanguageId | undefined): boolean {
  if (language !== "javascript" || bytes.length < LEAST_BYTES) return false;
  const mostLines = bytes.length / BYTES_PER_LINE;
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

/** What is kept of a minified file: enough to find it by its name and by what it says about itself. */
export const beginningOf = (bytes: Buffer): Buffer => bytes.subarray(0, BEGINNING_BYTES);
