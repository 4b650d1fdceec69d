import { isStopWord } from "../text/query.ts";
import { wholeOf } from "../text/terms.ts";

/** A part of a question that may stand in the code as it is written. */
export interface AskedLiteral {
  readonly text: string;
  /** 1 for what is quoted; less for what may stand there by chance, such as dotted names. */
  readonly strength: number;
  /** Whether it is one word that counts only as it is written, such as the name of an environment variable. */
  readonly isCapitals?: boolean;
}

const MAX_LITERALS = 8;
const LEAST_MESSAGE_WORDS = 3;
const MESSAGE = 0.6;
const WEAK = 0.25;
/** Text that more chunks hold is not a sign of the right one. */
const MANY_HOLDERS = 6;
const FEW_HOLDERS = 2;

const QUOTED = /"([^"]{2,200})"|(?<![\p{L}\p{N}])'([^']{2,200})'(?!\p{L})|`([^`]{2,200})`/gu;
const FLAG = /(?<![\p{L}\p{N}-])--[a-z][\w-]+/gu;
/** `PAGER`, `MAX_IDLE`: in a sentence, a name. `JSON` and `HTTP` are words; any other word is found in either case. */
const CAPITALS = /(?<![\p{L}\p{N}_-])(?:[A-Z][A-Z0-9]{4,}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\p{L}\p{N}_-])/gu;
const DOTTED =
  /[\p{L}\p{N}_$]+(?:(?:\.|::|->|\/|\\|#)[\p{L}\p{N}_$]+)+|(?<![\p{L}\p{N}_.])\d{3,}(?![\p{L}\p{N}_])/gu;
const QUESTION =
  /^(?:how|what|where|when|which|who|why|does|do|is|are|can|should|find|show)\b|\?\s*$|\b(?:how|where) /i;

/** Quoted text, flags, words in capitals, dotted names, paths, numbers; a text that reads like a message is one as a whole. */
export function literalsOf(question: string): AskedLiteral[] {
  const quoted = [...question.matchAll(QUOTED)].map(
    ([, double, single, back]) => double ?? single ?? back ?? "",
  );
  const rest = question.replace(QUOTED, " ");
  const strong = [...quoted, ...(rest.match(FLAG) ?? [])];
  const capitals = /\p{Ll}/u.test(rest) ? (rest.match(CAPITALS) ?? []) : [];
  const weak = rest.match(DOTTED) ?? [];
  const isMessage =
    strong.length === 0 && !QUESTION.test(question) && question.split(/\s+/).length >= LEAST_MESSAGE_WORDS;
  return [
    ...[...new Set(strong)].map((text) => ({ text, strength: 1 })),
    ...[...new Set(capitals)].map((text) => ({ text, strength: 1, isCapitals: true })),
    ...(isMessage ? [{ text: question, strength: MESSAGE }] : []),
    ...[...new Set(weak)].map((text) => ({ text, strength: WEAK })),
  ]
    .filter(({ text }) => text.trim().length > 1)
    .slice(0, MAX_LITERALS);
}

const INNER_WORD = /(?<=[^\w$\x80-\uffff])[a-z0-9]+(?=[^\w$\x80-\uffff])/g;

/**
 * Terms that every text with this literal has: its first and last word may be parts of longer ones, the others stand alone.
 * Long lists are read only if there are no others.
 */
export function innerTerms({ text, isCapitals = false }: AskedLiteral): string[] {
  if (isCapitals) return [wholeOf(text)];
  const words = withPlainBlanks(text).match(INNER_WORD) ?? [];
  const rare = words.filter((word) => !isStopWord(word));
  return [...new Set(rare.length > 0 ? rare : words)].map(wholeOf);
}

/** How strongly each text speaks for its chunk: those that hold a literal, less the more hold it. Case counts for capitals alone. */
export function literalStrengths(texts: readonly string[], literals: readonly AskedLiteral[]): number[] {
  const lower = texts.map((text) => text.toLowerCase());
  const strengths = texts.map(() => 0);
  for (const { text, strength, isCapitals = false } of literals) {
    const wanted = withPlainBlanks(text);
    const words = wanted.split(" ");
    const name = isCapitals ? namePattern(text) : undefined;
    const holds = (held: string) => name?.test(held) ?? withPlainBlanks(held).includes(wanted);
    // Most texts lack one of the words, which is known sooner.
    const holders = lower.flatMap((held, place) =>
      words.every((word) => held.includes(word)) && holds(texts[place] ?? "") ? [place] : [],
    );
    if (holders.length > MANY_HOLDERS) continue;
    const worth = strength * Math.min(1, FEW_HOLDERS / holders.length);
    for (const place of holders) strengths[place] = Math.max(strengths[place] ?? 0, worth);
  }
  return strengths;
}

/** `HTTP` is in many comments. A variable of one word is quoted where it is read, or has a sign before it: `"PAGER"`, `$PAGER`. */
const namePattern = (name: string): RegExp =>
  new RegExp(
    `${name.includes("_") ? "(?<![\\p{L}\\p{N}_])" : "(?<=[\"'`$%]|\\$\\{)"}${name}(?![\\p{L}\\p{N}_])`,
    "u",
  );

const withPlainBlanks = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();
