import { sha256 } from "../../../core/hash.ts";
import { lineEnding } from "../edit/config-file.ts";

const BEGIN = /^<!-- contextful:begin ([0-9a-f]{16}) -->\r?$/;

/** Our section in a user's file, delimited by markers with an id that the text inside cannot predict. */
interface ManagedBlock {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

/** The text with `body` in our block, or without the block if there is no body. Nothing outside the markers changes. */
export function setBlock(text: string, body: string | undefined): string {
  const eol = lineEnding(text);
  const found = findBlock(text);
  const block = body === undefined ? "" : blockOf(body).replaceAll("\n", eol);
  if (found !== undefined) return text.slice(0, found.start) + block + text.slice(found.end);
  if (block === "") return text;
  if (text === "") return block;
  return `${text}${text.endsWith("\n") ? eol : eol + eol}${block}`;
}

/** The text outside our block. */
export function outsideBlock(text: string): string {
  const found = findBlock(text);
  return found === undefined ? text : text.slice(0, found.start) + text.slice(found.end);
}

/**
 * A begin marker counts only with an end marker of the same id. Everything between them is skipped, even markers of
 * another block.
 */
export function findBlock(text: string): ManagedBlock | undefined {
  // A byte order mark is not part of the first line.
  let offset = text.startsWith("\uFEFF") ? 1 : 0;
  for (const line of text.slice(offset).split(/(?<=\n)/)) {
    const id = BEGIN.exec(line.replace(/\n$/, ""))?.[1];
    if (id !== undefined) {
      const from = offset + line.length;
      const end = new RegExp(`^<!-- contextful:end ${id} -->\\r?(?:\\n|$)`, "m").exec(text.slice(from));
      if (end !== null) {
        const body = text.slice(from, from + end.index).replaceAll("\r\n", "\n");
        return { start: offset, end: from + end.index + end[0].length, body };
      }
    }
    offset += line.length;
  }
  return undefined;
}

function blockOf(body: string): string {
  // A marker inside could end a block that the user's text only seems to begin.
  const whole = `${body.trimEnd().replaceAll(/<!-- contextful:(?=begin|end)/g, "<!-- contextful ")}\n`;
  return `<!-- contextful:begin ${idOf(whole)} -->\n${whole}<!-- contextful:end ${idOf(whole)} -->\n`;
}

const idOf = (body: string) => sha256(body).slice(0, 16);
