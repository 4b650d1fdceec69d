import type { Span } from "./contextual-secrets.ts";

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const END = "-----END ";
const KEY_LINE = /^[\s"'\\nr,+A-Za-z0-9/=:-]*$/;

/** PEM and PGP blocks: from the header to the footer, or, where the footer is cut off, to the last line that looks like key. */
export function* privateKeys(text: string): Generator<Span> {
  if (!text.includes("PRIVATE KEY")) return;
  let after = 0;
  for (const match of text.matchAll(BEGIN)) {
    if (match.index < after) continue;
    const start = match.index;
    const body = start + match[0].length;
    after = endOfKey(text, body);
    // A header alone, as in documentation or in a parser's source, is no key.
    if (text.slice(body, after).replace(/[^A-Za-z0-9]/g, "").length < 60) continue;
    yield { kind: "private key", start, end: after };
  }
}

function endOfKey(text: string, body: number): number {
  let at = body;
  while (at < text.length) {
    const lineEnd = indexOrEnd(text, "\n", at);
    const line = text.slice(at, lineEnd);
    const footer = line.indexOf(END);
    if (footer >= 0) {
      const close = text.indexOf("-----", at + footer + END.length);
      return close < 0 || close > lineEnd ? lineEnd : close + 5;
    }
    if (!KEY_LINE.test(line)) return at === body ? lineEnd : at - 1;
    at = lineEnd + 1;
  }
  return Math.min(at, text.length);
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}
