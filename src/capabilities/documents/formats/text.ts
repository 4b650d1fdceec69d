import type { Extraction } from "./format.ts";
import { readFrontMatter } from "./front-matter.ts";

/** Text as it is. What is not text is refused: half-decoded bytes would be searched and shown as if they were words. */
export function readText(bytes: Uint8Array): Extraction {
  const decoded = decode(bytes);
  return decoded === undefined ? { unreadable: "not text: neither UTF-8 nor UTF-16" } : { body: decoded };
}

/** Markdown as it is; its front matter is read, and stays in the body. */
export function readMarkdown(bytes: Uint8Array): Extraction {
  const decoded = decode(bytes);
  if (decoded === undefined) return { unreadable: "not text: neither UTF-8 nor UTF-16" };
  return { body: decoded, ...readFrontMatter(decoded) };
}

/** `undefined` for what is no text: invalid UTF-8, or a NUL byte. */
export function decode(bytes: Uint8Array): string | undefined {
  const text = decodeStrictly(bytes);
  return text?.includes("\0") ? undefined : text;
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
