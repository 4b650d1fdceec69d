/** One piece of a rule file that becomes an entry. */
export interface Piece {
  readonly key: string;
  readonly content: string;
}

/**
 * Splits a rule file at its second-level headings, never inside code. What comes before the first is an entry of its
 * own, named after the file; a title alone and lines that only bring in another file are none.
 */
export function splitRules(text: string, fileName: string): Piece[] {
  const pieces: { title: string; lines: string[] }[] = [{ title: fileName, lines: [] }];
  let isCode = false;
  for (const line of withoutHead(text).split("\n")) {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    const title = isCode ? undefined : /^## +(.+?)\s*#*$/.exec(line)?.[1];
    if (title !== undefined) pieces.push({ title, lines: [] });
    else if (isCode || !/^(# .*|@\S+\.md\s*)$/.test(line)) pieces.at(-1)?.lines.push(line);
  }
  return pieces
    .map(({ title, lines }) => ({ key: slug(title) || slug(fileName), content: lines.join("\n").trim() }))
    .filter(({ content }) => content !== "");
}

/** Without the YAML head some rule files have. */
const withoutHead = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/^---\n[\s\S]*?\n---\n/, "");

const slug = (title: string): string =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 80);
