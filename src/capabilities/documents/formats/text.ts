import type { Extraction } from "./format.ts";
import { readFrontMatter } from "./front-matter.ts";

/** Text unchanged. Anything else is refused: half-decoded bytes would be searched and shown as words. */
export function readText(bytes: Uint8Array, mediaType = ""): Extraction {
  const decoded = decode(bytes, charsetOf(mediaType));
  return decoded === undefined ? { unreadable: "not text: neither UTF-8 nor UTF-16" } : { body: decoded };
}

/** Markdown unchanged; the front matter is read and stays in the body. */
export function readMarkdown(bytes: Uint8Array, mediaType = ""): Extraction {
  const read = readText(bytes, mediaType);
  return "unreadable" in read ? read : { ...read, ...readFrontMatter(read.body) };
}

/** reStructuredText unchanged; its first underlined line is the title. */
export function readRst(bytes: Uint8Array, mediaType = ""): Extraction {
  const read = readText(bytes, mediaType);
  const title = "unreadable" in read ? undefined : UNDERLINED.exec(read.body)?.[1]?.trim();
  return title === undefined ? read : { ...read, title };
}

const UNDERLINED = /^(?![ .])(.{1,200})\r?\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|#{3,})[ \t]*$/m;

/** `undefined` if it is not text: not UTF-8, not UTF-16 with a byte order mark, not the encoding its source names. */
export function decode(bytes: Uint8Array, charset?: string): string | undefined {
  const text = decodeAs(bytes, markedEncoding(bytes));
  return text === undefined && charset !== undefined ? decodeAs(bytes, charset) : text;
}

/** The encoding that a media type or a `<meta>` names. */
export const charsetOf = (text: string): string | undefined => /charset=["']?([\w-]+)/i.exec(text)?.[1];

function markedEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** A text has no NUL. */
function decodeAs(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
