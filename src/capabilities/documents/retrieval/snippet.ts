import { isStopWord, partsOf, stem } from "../../../core/search/index.ts";

/** The longest snippet in words; in characters if no word of the query is in the chunk. */
const MOST_WORDS = 48;
const LEAD_CHARACTERS = 240;
/** So many words before the best window may be shown to begin with a whole sentence. */
const MOST_BACK = 24;
const IS_ASCII = /^[\w]*$/;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Images and badges of Markdown, also those that are links: their addresses say nothing. */
const IMAGE = /!\[[^\][]*\]\([^()]*\)|\[\s*!\[[^\][]*\]\([^()]*\)\s*\]\([^()]*\)/g;

interface Word {
  readonly start: number;
  readonly end: number;
  /** The index of the word in the query; −1 if it is not in it. */
  readonly match: number;
}

/** A snippet of the text with the most words of the query; matches are marked `>>>like this<<<`. */
export function bestSnippet(texts: Iterable<string>, query: string): string {
  const terms = termsOf(query);
  let best: { text: string; words: readonly Word[]; found: number } | undefined;
  for (const written of texts) {
    const text = written.replace(IMAGE, "");
    const words = matchedWords(text, terms);
    const found = new Set(words.map(({ match }) => match).filter((match) => match >= 0)).size;
    if (best === undefined || found > best.found) best = { text, words, found };
    if (found === terms.length) break;
  }
  if (best === undefined) return "";
  return best.found === 0 ? lead(best.text) : cut(best.text, best.words);
}

/**
 * Single letters and words such as `how` are in every text; they are dropped unless the query has nothing else. The `on`
 * of `on-call` stays.
 */
function termsOf(query: string): string[] {
  const pieces = query.split(/\s+/).map((piece) => [...piece.matchAll(WORD)].map(([word]) => fold(word)));
  const isTelling = (word: string, { length }: readonly string[]) =>
    !/^[a-z]$/.test(word) && (length > 1 || !isStopWord(word));
  const telling = pieces.flatMap((words) => words.filter((word) => isTelling(word, words)));
  return [...new Set(telling.length > 0 ? telling : pieces.flat())];
}

/** Exact matches; if there are none, other forms of the words: `tokens` for token, `ParseFile` for file. */
function matchedWords(text: string, terms: readonly string[]): Word[] {
  const exact = wordsOf(text, (word) => terms.indexOf(word));
  if (exact.some(({ match }) => match >= 0)) return exact;
  const stems = terms.map(stem);
  return wordsOf(text, (_, written) => {
    const parts = [written, ...partsOf(written)].map((part) => stem(fold(part)));
    return stems.findIndex((term) => parts.includes(term));
  });
}

function cut(text: string, words: readonly Word[]): string {
  const first = sentenceStart(text, words, bestWindow(words));
  const shown = words.slice(first, first + MOST_WORDS);
  const start = first === 0 ? 0 : startWithSigns(text, words, first);
  const end = first + MOST_WORDS >= words.length ? text.length : (shown.at(-1)?.end ?? text.length);
  const dots = start === 0 || isSentenceStart(text, words, first) ? "" : "...";
  return `${dots}${marked(text, shown, start, end)}${end < text.length ? "..." : ""}`;
}

/**
 * The first word of the sentence that the window begins in, if the matches still fit, or of the next one if nothing is lost;
 * otherwise the window stays.
 */
function sentenceStart(text: string, words: readonly Word[], first: number): number {
  if (first === 0) return 0;
  const matches = (from: number) =>
    words.slice(from, from + MOST_WORDS).filter(({ match }) => match >= 0).length;
  const needed = matches(first);
  for (let at = first; at > 0 && first - at <= MOST_BACK && matches(at) >= needed; at -= 1) {
    if (isSentenceStart(text, words, at)) return at;
  }
  for (let at = first + 1; at < words.length && (words[at - 1]?.match ?? 0) < 0; at += 1) {
    if (isSentenceStart(text, words, at)) return at;
  }
  return first <= MOST_BACK && matches(0) >= needed ? 0 : first;
}

/** A word with the signs before it, such as `@param` or a quotation mark. */
function startWithSigns(text: string, words: readonly Word[], at: number): number {
  const start = words[at]?.start ?? 0;
  const gap = text.slice(words[at - 1]?.end ?? 0, start);
  return start - (/\S*$/.exec(gap)?.[0].length ?? 0);
}

/**
 * A sentence begins at a heading, a list item or a paragraph, at a line of code, and after the end of another one. Prose is
 * wrapped anywhere, so a new line alone begins nothing; nor does the full stop of `e.g.` end a sentence.
 */
function isSentenceStart(text: string, words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  const word = words[at];
  if (before === undefined || word === undefined) return true;
  const gap = text.slice(before.end, word.start);
  if (/\n\s*\n|\n\s*[-*+>#|@]|[;:{}|>]\s*\n\s*$/.test(gap)) return true;
  if (gap.includes("\n") && /^\d+[.)]\s/.test(text.slice(word.start, word.end + 2))) return true;
  const isAbbreviation = /^\p{Ll}$/u.test(text.slice(before.start, before.end));
  return (
    !isAbbreviation && /[.!?…]["')\]`*_]*\s/.test(gap) && !/^\p{Ll}/u.test(text.slice(word.start, word.end))
  );
}

const fold = (word: string) =>
  IS_ASCII.test(word) ? word.toLowerCase() : word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function wordsOf(text: string, find: (word: string, written: string) => number): Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    match: find(fold(match[0]), match[0]),
  }));
}

/** The start of the window with the most different words of the query, with a few words before it. The first one wins a tie. */
function bestWindow(words: readonly Word[]): number {
  if (words.length <= MOST_WORDS) return 0;
  let best = { first: 0, worth: -1 };
  for (const [first, { match }] of words.entries()) {
    if (match < 0) continue;
    const found = words.slice(first, first + MOST_WORDS).filter((word) => word.match >= 0);
    const worth = new Set(found.map((word) => word.match)).size * 1_000 + found.length;
    if (worth > best.worth) best = { first, worth };
  }
  return Math.max(0, Math.min(best.first - 8, words.length - MOST_WORDS));
}

function marked(text: string, words: readonly Word[], start: number, end: number): string {
  let result = "";
  let at = start;
  for (const word of words) {
    if (word.match < 0) continue;
    result += `${text.slice(at, word.start)}>>>${text.slice(word.start, word.end)}<<<`;
    at = word.end;
  }
  return result + text.slice(at, end);
}

/** The beginning, up to a whole word. */
function lead(text: string): string {
  const characters = [...text.slice(0, LEAD_CHARACTERS * 2 + 2)];
  if (characters.length <= LEAD_CHARACTERS) return text;
  return `${characters
    .slice(0, LEAD_CHARACTERS)
    .join("")
    .replace(/\s+\S{0,40}$/, "")}...`;
}
