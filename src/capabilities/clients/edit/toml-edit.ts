import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import type { ServerEntry } from "../client.ts";
import { type FileRefusal, lineEnding } from "./config-file.ts";
import { nested, plain, valueAt, without } from "./value-path.ts";

export function readToml(text: string): { readonly value: unknown } | FileRefusal {
  try {
    return { value: parse(text) };
  } catch (thrown) {
    const reason = thrown instanceof Error ? (thrown.message.split("\n")[0] ?? "") : "";
    return { refused: `it cannot be read as TOML (${reason})` };
  }
}

/** The text with the table of the entry. The old table is cut out by lines and the new one is inserted as text; nothing else is printed again. */
export function setTomlEntry(
  text: string,
  path: readonly string[],
  entry: ServerEntry,
): { text: string } | FileRefusal {
  const table = tomlSnippet(path, entry).replaceAll("\n", lineEnding(text));
  const now = readToml(text);
  const isThere = !("refused" in now) && valueAt(now.value, path) !== undefined;
  // Only if the entry exists: a multi-line string may look like its table.
  const spans = isThere ? tableSpans(text, path) : [];
  const [first] = spans;
  if (first === undefined) {
    const eol = lineEnding(text);
    const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
    return checked(text, text + gap + table, path, entry);
  }
  const rest = spans
    .slice(1)
    .toReversed()
    .reduce((now, span) => cut(now, span), text);
  return checked(text, rest.slice(0, first.start) + table + rest.slice(first.end), path, entry);
}

export function removeTomlEntry(text: string, path: readonly string[]): { text: string } | FileRefusal {
  const edited = tableSpans(text, path)
    .toReversed()
    .reduce((now, span) => cut(now, span), text);
  return checked(text, edited, path, undefined);
}

export const tomlSnippet = (path: readonly string[], entry: ServerEntry): string =>
  `${stringify(nested(path, entry)).trimEnd()}\n`;

interface TableSpan {
  readonly start: number;
  readonly end: number;
}
const cut = (text: string, { start, end }: TableSpan) => text.slice(0, start) + text.slice(end);

/** The lines of the table of the entry and of its subtables. Comments and blank lines before the next table belong to that table. */
function tableSpans(text: string, path: readonly string[]): TableSpan[] {
  const key = (name: string) => `(?:"${name}"|'${name}'|${name})`;
  const header = new RegExp(
    `^[ \\t]*\\[[ \\t]*${path.map(key).join("[ \\t]*\\.[ \\t]*")}[ \\t]*(?:\\.[^\\]]*)?\\]`,
  );
  const spans: TableSpan[] = [];
  let open: number | undefined;
  let end = 0;
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (/^[ \t]*\[/.test(line) && !isInsideArray(text, open, offset)) {
      if (open !== undefined) spans.push({ start: open, end });
      open = header.test(line) ? offset : undefined;
    }
    offset += line.length;
    if (!/^[ \t]*(#.*)?\r?\n?$/.test(line)) end = offset;
  }
  if (open !== undefined) spans.push({ start: open, end });
  return spans;
}

/** A line of a multi-line array may start with a bracket too; then the text above it is not valid alone. */
function isInsideArray(text: string, open: number | undefined, offset: number): boolean {
  return open !== undefined && "refused" in readToml(text.slice(open, offset));
}

/** Refuses an edit that changed anything but the entry. */
function checked(
  before: string,
  after: string,
  path: readonly string[],
  entry: ServerEntry | undefined,
): { text: string } | FileRefusal {
  const old = readToml(before);
  const now = readToml(after);
  const advice = entry === undefined ? "" : "; add the entry by hand (--print shows it)";
  const refusal = { refused: `its form is unusual${advice}` };
  if ("refused" in old || "refused" in now) return refusal;
  const isThere = isDeepStrictEqual(plain(valueAt(now.value, path)), plain(entry));
  const isRestKept = isDeepStrictEqual(plain(without(old.value, path)), plain(without(now.value, path)));
  return isThere && isRestKept ? { text: after } : refusal;
}
