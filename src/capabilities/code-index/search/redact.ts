import { redactSecrets } from "../../../core/hygiene/index.ts";
import type { Store } from "../../../core/store/store.ts";
import { readLines } from "../store/stored-contents.ts";
import type { StoredFile } from "../store/stored-files.ts";

/** The length of a long private key, and enough lines after its header to recognise one. */
const LINES_BEFORE = 120;
const LINES_AFTER = 4;
/** A line that may be part of a key: a long run of base64, or the key's marker. */
const MAYBE_KEY = /[A-Za-z0-9+/=]{32}|PRIVATE KEY/;
/** Never in a source file: a file that contains this character is binary. */
const SEPARATOR = "\0";

/** Lines of a file as it was indexed. The middle of a key has no marker, so the lines around it are checked too. */
export function readLinesWithoutKeys(
  store: Store,
  file: StoredFile,
  from: number,
  to: number,
): readonly string[] {
  const shown = readLines(store, file, from, to);
  if (!shown.some((line) => MAYBE_KEY.test(line))) return shown;
  const first = Math.max(1, from - LINES_BEFORE);
  const around = readLines(store, file, first, to + LINES_AFTER);
  const hasKey = around.some((line) => line.includes("PRIVATE KEY"));
  const lines = hasKey ? redactSecrets(around.join("\n")).text.split("\n") : around;
  return lines.slice(from - first, to - first + 1);
}

/** Redacts all texts in one pass, since finding secrets is the slowest part of showing a result. */
export function redactTexts(texts: readonly string[]): string[] {
  const joined = texts.map((text) => text.replaceAll(SEPARATOR, " ")).join(`\n${SEPARATOR}\n`);
  return redactSecrets(joined).text.split(`\n${SEPARATOR}\n`);
}
