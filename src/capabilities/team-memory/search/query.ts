export interface Query {
  /** Distinct, folded; at most as many as a mask of the index has bits. */
  readonly terms: readonly string[];
  /** All words in their order, with single spaces between them. */
  readonly phrase: string;
  /** In double quotes: only lines that hold the phrase. */
  readonly isExact: boolean;
}

const MAX_TERMS = 32;

export function parseQuery(text: string): Query {
  const quoted = /^"(.*[^\s"].*)"$/s.exec(text.trim())?.[1];
  const words = fold(quoted ?? text)
    .split(/\s+/)
    .filter((word) => word !== "");
  return {
    terms: [...new Set(words)].slice(0, MAX_TERMS),
    phrase: words.join(" "),
    isExact: quoted !== undefined,
  };
}

/** What differs only in case or in how its accents are encoded is the same; the dotted capital I is an i, not an i and a dot. */
export const fold = (text: string): string => text.normalize("NFC").replaceAll("\u0130", "i").toLowerCase();
