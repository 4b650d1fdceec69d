/** A run of changed lines: where it was in the old version and is in the new one. A count may be 0. */
export interface FileHunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly start: number;
  readonly count: number;
}

/** One file of a patch. A path is `undefined` where the file does not exist. */
export interface FilePatch {
  oldPath: string | undefined;
  path: string | undefined;
  readonly hunks: FileHunk[];
}

/** Parses a patch that git printed with `-U0`. The text of a hunk is skipped: it may look like a header. */
export function parsePatch(patch: string): FilePatch[] {
  const files: FilePatch[] = [];
  const rows = patch.split("\n");
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? "";
    if (row.startsWith("--- ")) files.push({ oldPath: nameIn(row), path: undefined, hunks: [] });
    const file = files.at(-1);
    if (!file) continue;
    if (row.startsWith("+++ ")) file.path = nameIn(row);
    const hunk = parseHunk(row);
    if (!hunk) continue;
    file.hunks.push(hunk);
    at += hunk.oldCount + hunk.count;
  }
  return files;
}

export function parseHunk(row: string): FileHunk | undefined {
  const [, oldStart, oldCount = 1, start, count = 1] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
  if (start === undefined) return undefined;
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    start: Number(start),
    count: Number(count),
  };
}

const ESCAPED = new Map([..."abtnvfr"].map((letter, at) => [letter, "\x07\b\t\n\v\f\r"[at] ?? ""]));

/** The name in a header such as `+++ b/name`. Git quotes odd names, and puts a tab after a name with a space. */
function nameIn(header: string): string | undefined {
  const name = header.slice(4).replace(/\t$/, "");
  if (name === "/dev/null") return undefined;
  const quoted = /^"(.*)"$/s.exec(name)?.[1];
  return (quoted === undefined ? name : unquote(quoted)).slice(2);
}

/** Git escapes single bytes, so the text is read as bytes and becomes text again at the end. */
function unquote(quoted: string): string {
  const bytes = Buffer.from(quoted)
    .toString("latin1")
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED.get(code) ?? code),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
