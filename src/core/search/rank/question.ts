import type { PathKind } from "../../files/path-kinds.ts";
import { partsOf } from "../text/terms.ts";
import type { AskedName } from "./candidate.ts";
import { kindsAskedFor } from "./demotions.ts";
import { type AskedLiteral, literalsOf } from "./literals.ts";

/** What the ranking stage knows of a question. */
export interface RankQuestion {
  /** Whether all of it is one name, such as `ParseFile` or `Store.get`. */
  readonly isName: boolean;
  /** Whether it is a name and cannot be an ordinary word: it has an inner capital, a digit, a dot or `_`. */
  readonly isIdentifier: boolean;
  /** Words that may stand in a path: lower case, without stop words, identifiers in parts. */
  readonly words: readonly string[];
  readonly names: readonly AskedName[];
  /** Parts that may stand in the code as they are written. */
  readonly literals: readonly AskedLiteral[];
  /** Kinds of files that it asks for, such as tests. */
  readonly asksFor: ReadonlySet<PathKind>;
}

const MAX_NAMES = 24;
const NAME = /[\p{L}\p{N}_$]+(?:(?:\.|::|->|\\|#)[\p{L}\p{N}_$]+)*[?!]?/gu;
const WHOLE_NAME = /^[\p{L}\p{N}_$]+(?:(?:\.|::|->|\\|#|-)[\p{L}\p{N}_$]+)*[?!]?$/u;
const IDENTIFIER = /\p{Ll}\p{Lu}|[_$.:\\#]|->|\p{L}\d|\d\p{L}/u;
const STOP_WORDS = new Set(
  (
    "and are can does for from has have how into its not our should that the their them then there these they this " +
    "used uses using was what when where which who why will with you your"
  ).split(" "),
);

export function readQuestion(text: string): RankQuestion {
  const question = text.trim();
  const isName = WHOLE_NAME.test(question);
  return {
    isName,
    isIdentifier: isName && IDENTIFIER.test(question),
    words: wordsOf(question),
    names: isName ? wholeNames(question) : namesWithin(question),
    literals: isName ? [] : literalsOf(question),
    asksFor: kindsAskedFor(question),
  };
}

/** `Store` and `get` of `Store.get`. */
export const partsOfName = (name: string): readonly string[] => name.split(/\.|::|->|\\|#/);

/** The member of a qualified name: `get` of `Store.get`. */
export const memberOf = (name: string): string => partsOfName(name).at(-1) ?? name;

function wordsOf(question: string): string[] {
  const words = question.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const parts = words.flatMap((word) => {
    const cut = partsOf(word);
    return cut.length > 1 ? cut : [word.toLowerCase()];
  });
  return [...new Set(parts)].filter((word) => word.length > 2 && !STOP_WORDS.has(word));
}

function wholeNames(question: string): AskedName[] {
  return [...new Set([question, memberOf(question)])].map((text) => ({ text, look: "whole" }));
}

function namesWithin(question: string): AskedName[] {
  const words = [...new Set(question.match(NAME) ?? [])].filter(
    (word) => word.length > 1 && !STOP_WORDS.has(word.toLowerCase()),
  );
  const single = words.flatMap((word): AskedName[] => {
    const member = memberOf(word);
    const look = IDENTIFIER.test(word) ? "identifier" : /^\p{Lu}/u.test(word) ? "capital" : "word";
    return [{ text: word, look }, ...(member === word ? [] : [{ text: member, look } as const])];
  });
  return single.slice(0, MAX_NAMES);
}
