import { sha256 } from "../../../core/hash.ts";
import { lineEnding } from "../edit/config-file.ts";

const BEGIN = /^<!-- contextful:begin ([0-9a-f]{16}) -->\r?$/;

/** A block of ours in somebody's file: between its marks, which carry a name no text inside can foresee. */
interface ManagedBlock {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

/** The text with our block holding `body`; without it where there is none to hold. Nothing outside its marks changes. */
export function setBlock(text: string, body: string | undefined): string {
  const eol = lineEnding(text);
  const found = findBlock(text);
  const block = body === undefined ? "" : blockOf(body).replaceAll("\n", eol);
  if (found !== undefined) return text.slice(0, found.start) + block + text.slice(found.end);
  if (block === "") return text;
  if (text === "") return block;
  return `${text}${text.endsWith("\n") ? eol : eol + eol}${block}`;
}

/** What stands outside our block. */
export function outsideBlock(text: string): string {
  const found = findBlock(text);
  return found === undefined ? text : text.slice(0, found.start) + text.slice(found.end);
}

/**
 * A mark that begins counts only with the end of the same name; what a block holds, even marks of another block, is
 * skipped with it.
 */
export function findBlock(text: string): ManagedBlock | undefined {
  // A byte order mark is no part of the first line.
  let offset = text.startsWith("\uFEFF") ? 1 : 0;
  for (const line of text.slice(offset).split(/(?<=\n)/)) {
    const name = BEGIN.exec(line.replace(/\n$/, ""))?.[1];
    if (name !== undefined) {
      const from = offset + line.length;
      const end = new RegExp(`^<!-- contextful:end ${name} -->\\r?(?:\\n|$)`, "m").exec(text.slice(from));
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
  // A mark inside could end a block that somebody's text around ours only seems to begin.
  const whole = `${body.trimEnd().replaceAll(/<!-- contextful:(?=begin|end)/g, "<!-- contextful ")}\n`;
  return `<!-- contextful:begin ${nameOf(whole)} -->\n${whole}<!-- contextful:end ${nameOf(whole)} -->\n`;
}

const nameOf = (body: string) => sha256(body).slice(0, 16);
