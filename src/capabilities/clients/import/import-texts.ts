import { markdownLines } from "./markdown-lines.ts";

/** A part of a rule file that becomes an entry. */
interface RulePiece {
  readonly key: string;
  readonly content: string;
}

/** Slightly below the limit of keys in the memory. */
const MOST_BYTES = 160;

/**
 * Splits a rule file at its second-level headings, and at first-level headings if it has several, but never inside code.
 * The text before the first heading is an entry named after the file. A title alone and lines that only include another
 * file are not entries.
 */
export function splitRules(text: string, fileName: string): RulePiece[] {
  const { lines } = markdownLines(withoutHead(text));
  const titles = lines.filter(({ text: line, isCode }) => !isCode && /^# /.test(line));
  const heading = titles.length > 1 ? /^##? +(.+?)\s*#*$/ : /^## +(.+?)\s*#*$/;
  const pieces: { title: string; lines: string[] }[] = [{ title: fileName, lines: [] }];
  for (const { text: line, isCode } of lines) {
    const title = isCode ? undefined : heading.exec(line)?.[1];
    if (title !== undefined) pieces.push({ title, lines: [] });
    else if (isCode || !/^(# .*|@\S+\.md\s*)$/.test(line)) pieces.at(-1)?.lines.push(line);
  }
  return pieces
    .map(({ title, lines }) => ({ key: slug(title) || slug(fileName), content: lines.join("\n").trim() }))
    .filter(({ content }) => content !== "");
}

/** For comparing texts without regard to white space. */
export const normalized = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Without the YAML head that some rule files have. */
const withoutHead = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/^---\n[\s\S]*?\n---\n/, "");

/** A key for the memory: letters and digits of any script. */
function slug(title: string): string {
  let key = title
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-/, "");
  while (Buffer.byteLength(key) > MOST_BYTES || [...key].length > 80) key = [...key].slice(0, -1).join("");
  return key.replace(/-$/, "");
}
