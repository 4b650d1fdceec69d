import { stem } from "./stem.ts";

const NONE = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOINER = 4;
const WIDE = 5;
const MAX_TERM = 64;
const HYPHEN = 45;
const FEW = 16;

const CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) CLASS[code] = LOWER;
  else if (/[A-Z]/.test(character)) CLASS[code] = UPPER;
  else if (/[0-9]/.test(character)) CLASS[code] = DIGIT;
  else if (character === "_" || character === "$") CLASS[code] = JOINER;
}
const classOf = (code: number): number => (code < 128 ? (CLASS[code] ?? NONE) : WIDE);

/**
 * Gives every word of a text as written: runs of letters, digits, `_` and `$`; and once more the whole of what hyphens
 * join (`kebab-case`). Runs over everything that is indexed, so it only cuts; `termsOf` decides what a word is found by.
 */
export function forEachWord(text: string, visit: (word: string) => void): void {
  const length = text.length;
  let joinedFrom = -1;
  let at = 0;
  while (at < length) {
    if (classOf(text.charCodeAt(at)) === NONE) {
      at++;
      continue;
    }
    const start = at;
    do at++;
    while (at < length && classOf(text.charCodeAt(at)) !== NONE);
    visit(text.slice(start, at));
    if (text.charCodeAt(at) === HYPHEN && isLetter(text, at - 1) && isLetter(text, at + 1)) {
      if (joinedFrom < 0) joinedFrom = start;
    } else if (joinedFrom >= 0) {
      if (at - joinedFrom <= MAX_TERM) visit(text.slice(joinedFrom, at));
      joinedFrom = -1;
    }
  }
}

/** What a word is found by: its whole, its parts by case, digits and joiners, and their stems; lower case, the whole first. */
export function termsOf(word: string): string[] {
  if (isWide(word)) return wideTerms(word);
  const whole = wholeOf(word);
  if (whole === "") return [];
  if (word.includes("-")) return [whole];
  const terms = [whole];
  for (const part of partsOf(word)) if (part.length > 1) terms.push(part, stem(part));
  return distinct(terms);
}

/** An identifier without its joints: `user_auth`, `UserAuth` and `user-auth` are one. */
export const wholeOf = (word: string): string =>
  word
    .replace(/[_$-]+/g, "")
    .toLowerCase()
    .slice(0, MAX_TERM);

/** `HTTPServer2_x` → `http`, `server`, `2`, `x`. */
export function partsOf(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 1; at <= word.length; at++) {
    if (at < word.length && !isSeam(word, start, at)) continue;
    const part = word.slice(start, at);
    if (!/^[_$-]+$/.test(part)) parts.push(part.toLowerCase().slice(0, MAX_TERM));
    start = at;
  }
  return parts;
}

function isSeam(word: string, start: number, at: number): boolean {
  const before = classOf(word.charCodeAt(at - 1));
  const here = classOf(word.charCodeAt(at));
  if (before !== here) return !(before === UPPER && here === LOWER && at - start === 1);
  // In `HTTPServer` the last capital of a run begins the next part.
  return here === UPPER && at + 1 < word.length && classOf(word.charCodeAt(at + 1)) === LOWER;
}

const isLetter = (text: string, at: number): boolean => {
  const kind = classOf(text.charCodeAt(at));
  return kind === LOWER || kind === UPPER;
};

/** Whether a word has letters beyond ASCII. */
export function isWide(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 127) return true;
  return false;
}

const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+|[\p{L}\p{N}\p{M}_]+/gu;
const IS_CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LETTER_RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

function wideTerms(word: string): string[] {
  const terms: string[] = [];
  for (const [run] of word.normalize("NFKC").matchAll(RUNS)) {
    for (const [piece] of run.matchAll(LETTER_RUNS)) {
      if (IS_CJK.test(piece)) addBigrams(terms, piece);
      else addLetters(terms, piece);
    }
  }
  return distinct(terms.filter((term) => term !== ""));
}

/** Scripts without spaces are found by pairs of characters. */
function addBigrams(terms: string[], run: string): void {
  const characters = [...run];
  if (characters.length === 1) terms.push(run);
  for (let at = 0; at + 1 < characters.length; at++) {
    terms.push(`${characters[at] ?? ""}${characters[at + 1] ?? ""}`);
  }
}

function addLetters(terms: string[], piece: string): void {
  const parts = piece.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u);
  for (const form of parts.length > 1 ? [piece.replaceAll("_", ""), ...parts] : parts) {
    const lower = form.toLowerCase().slice(0, MAX_TERM);
    const bare = lower.normalize("NFD").replace(/\p{M}+/gu, "");
    terms.push(lower, bare);
    if (!isWide(bare)) terms.push(stem(bare));
  }
}

/** A set is slower for the handful a word has; without one, a run of thousands would take the square of their number. */
const distinct = (terms: readonly string[]): string[] =>
  terms.length > FEW ? [...new Set(terms)] : terms.filter((term, at) => terms.indexOf(term) === at);
