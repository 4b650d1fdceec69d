import {
  isKeptWhole,
  literalMemberTerm,
  literalNameTerm,
  memberNameTerm,
  plainName,
  wholeNameTerm,
} from "./names.ts";
import { stem } from "./stem.ts";
import { SYNONYM_WEIGHTS, synonymsOf } from "./synonyms.ts";
import { forEachWord, isWide, partsOf, termsOf, wholeOf } from "./terms.ts";

/** One idea of the query: any of its variants finds it, and the one that scores best counts. */
export interface QueryGroup {
  readonly variants: readonly { readonly term: string; readonly weight: number }[];
  /** Whether "all the words" includes it. The whole of an identifier is only a bonus over its parts. */
  readonly isRequired: boolean;
}
interface ExactTerm {
  readonly term: string;
  readonly tier: number;
  /** Every chunk with the term has this one too: where there is none, the term is not looked for. */
  readonly implies?: string;
}
export interface ParsedQuery {
  readonly groups: readonly QueryGroup[];
  /** The names that, as a title, are exactly what was asked for. */
  readonly exactTerms: readonly ExactTerm[];
  /** Whether it looks like a name from code rather than a question. */
  readonly isIdentifier: boolean;
}

const MAX_WORDS = 64;
const MAX_GROUPS = 128;
const STEM_WEIGHT = 0.85;
const STOP_WORDS = new Set(
  (
    "a an and are as at be by can do does for from how i if in into is it its of on or our should so that the their them " +
    "then there these they this to used using was we what when where which who why will with you your"
  ).split(" "),
);
/** Whether a word says nothing about what is asked for, such as `how` or `the`. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word.toLowerCase());
/** Words people put before a name; the name alone is what they look for. */
const DECLARATIONS =
  /^(?:(?:func|function|fn|def|method|class|struct|interface|type|enum|trait|const|var|symbol)\s+)+/i;

/** With `synonyms` a word is also found by others that mean the same in most projects. */
export function parseQuery(
  text: string,
  { synonyms = false }: { readonly synonyms?: boolean } = {},
): ParsedQuery {
  const words = wordsOf(text);
  const meaningful = words.filter((word) => !isStopWord(word));
  const kept = meaningful.length > 0 ? meaningful : words;
  const groups = new Map<string, QueryGroup>();
  for (const word of kept) {
    for (const found of groupsOf(word)) {
      const group = synonyms ? withSynonyms(found) : found;
      const key = group.variants[0]?.term ?? "";
      const known = groups.get(key);
      if (!known || (group.isRequired && !known.isRequired)) groups.set(key, group);
    }
  }
  const name = text.trim().replace(DECLARATIONS, "");
  return {
    groups: [...groups.values()].slice(0, MAX_GROUPS),
    exactTerms: exactTermsOf(name),
    isIdentifier: isIdentifierLike(name, kept),
  };
}

/** The stems of a text's words, without the words that every text has. */
export const meaningfulTerms = (text: string): string[] =>
  parseQuery(text)
    .groups.filter(({ isRequired }) => isRequired)
    .flatMap(({ variants }) => variants.at(-1)?.term ?? []);

function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (word) => {
    if (words.length < MAX_WORDS && !words.includes(word)) words.push(word);
  });
  return words;
}

function groupsOf(word: string): QueryGroup[] {
  if (isWide(word)) return termsOf(word).map((term) => group([term]));
  const whole = wholeOf(word);
  if (whole === "") return [];
  if (word.includes("-")) return [{ variants: [{ term: whole, weight: 1 }], isRequired: false }];
  const parts = partsOf(word).filter((part) => part.length > 1);
  if (parts.length <= 1 && (parts[0] ?? whole) === whole) return [group([whole, stem(whole)])];
  return [
    { variants: [{ term: whole, weight: 1 }], isRequired: parts.length === 0 },
    ...parts.map((part) => group([part, stem(part)])),
  ];
}

const group = (terms: readonly string[]): QueryGroup => ({
  variants: [...new Set(terms)].map((term, index) => ({ term, weight: index === 0 ? 1 : STEM_WEIGHT })),
  isRequired: true,
});

function withSynonyms({ variants, isRequired }: QueryGroup): QueryGroup {
  const others = synonymsOf(variants[0]?.term ?? "").flatMap((word) => [word, stem(word)]);
  const added = [...new Set(others)].map((term) => ({ term, weight: SYNONYM_WEIGHTS.inAnIndex }));
  return { variants: [...variants, ...added], isRequired };
}

function exactTermsOf(name: string): ExactTerm[] {
  if (plainName(name) === "" || name.length > 200) return [];
  const whole = { term: wholeNameTerm(name), tier: 2 };
  const member = { term: memberNameTerm(name), tier: 1 };
  const literalTerms = (wider: ExactTerm, term: string, tier: number): ExactTerm[] => [
    wider,
    { term, tier, ...(isKeptWhole(name) && { implies: wider.term }) },
  ];
  const wholes = literalTerms(whole, literalNameTerm(name), 4);
  return /\s/.test(name) ? wholes : [...wholes, ...literalTerms(member, literalMemberTerm(name), 3)];
}

function isIdentifierLike(name: string, words: readonly string[]): boolean {
  if (/^[^\s]+$/.test(name)) return true;
  return words.length <= 3 && words.every((word) => /[a-z][A-Z]|_|[A-Za-z]\d|\d[A-Za-z]/.test(word));
}
