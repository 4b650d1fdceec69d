/** Calls `found` with the bounds of every word. Punctuation belongs to its word. */
export function eachWord(text: string, found: (start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = isWhiteSpace(text.charCodeAt(at));
    if (isSpace && start >= 0) {
      found(start, at);
      start = -1;
    }
    if (!isSpace && start < 0) start = at;
  }
  if (start >= 0) found(start, text.length);
}

/** The terms of a query: lower-cased, in order, repeated ones kept. */
export function termsOf(query: string): string[] {
  const lower = query.toLowerCase();
  const terms: string[] = [];
  eachWord(lower, (start, end) => terms.push(lower.slice(start, end)));
  return terms;
}

export interface WordCount {
  readonly total: number;
  readonly matches: number;
}

/** How many words a text has, and how many of them are one of the terms. */
export function countWords(text: string, terms: ReadonlySet<string>): WordCount {
  const lower = text.toLowerCase();
  let total = 0;
  let matches = 0;
  eachWord(lower, (start, end) => {
    total += 1;
    if (terms.size > 0 && terms.has(lower.slice(start, end))) matches += 1;
  });
  return { total, matches };
}

/**
 * True for code units with Unicode's White_Space property. The `\s` of regular expressions differs: it lacks
 * U+0085 and adds U+FEFF.
 */
function isWhiteSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  if (unit <= 0x200a) return unit >= 0x2000 || unit === 0x1680;
  return unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f || unit === 0x3000;
}
