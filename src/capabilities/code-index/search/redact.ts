import { redactSecrets } from "../../../core/hygiene/index.ts";
import type { Store } from "../../../core/store/store.ts";
import type { FileRow } from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";

/** As many lines as a long private key has, and enough after its header to know one. */
const LINES_BEFORE = 120;
const LINES_BEHIND = 4;
/** A line that may be of a key: its letters in one run, or its mark. */
const OF_A_KEY = /[A-Za-z0-9+/=]{32}|PRIVATE KEY/;

/** Lines of a file as it was indexed. Of a key the middle alone shows no mark, so what is around it is looked at too. */
export function readLinesWithoutKeys(
  store: Store,
  file: FileRow,
  from: number,
  to: number,
): readonly string[] {
  const shown = readLines(store, file, from, to);
  if (!shown.some((line) => OF_A_KEY.test(line))) return shown;
  const first = Math.max(1, from - LINES_BEFORE);
  const around = readLines(store, file, first, to + LINES_BEHIND);
  const hasKey = around.some((line) => line.includes("PRIVATE KEY"));
  const lines = hasKey ? redactSecrets(around.join("\n")).text.split("\n") : around;
  return lines.slice(from - first, to - first + 1);
}

/** One pass over all texts that are shown: looking for secrets is most of the work of showing them. */
export function withoutSecrets(texts: readonly string[]): string[] {
  const joined = texts.map((text) => text.replaceAll(BETWEEN, " ")).join(`\n${BETWEEN}\n`);
  return redactSecrets(joined).text.split(`\n${BETWEEN}\n`);
}
/** No source has it: a file with this character in it is binary. */
const BETWEEN = "\0";
