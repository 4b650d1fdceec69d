import { pluralOf, readable, wordsOf } from "../words.ts";
import {
  AUXILIARY,
  counted,
  GENERIC,
  isSpread,
  membersPhrase,
  type Words,
  withoutTrailing,
} from "./phrases.ts";

export interface DeclaredType {
  readonly name: string;
  /** What it extends or implements. */
  readonly bases: readonly string[];
  readonly isAbstract: boolean;
  readonly file: string;
}

/** Types that extend or implement the same type, at least the given share. `files` is the number of files with types. */
export function membersByBase(types: readonly DeclaredType[], files: number, share: number): string {
  const based = types.map(({ name, bases, file }) => ({ file, words: wordsOf(name), bases }));
  const counts = counted(based.flatMap(({ bases }) => [...new Set(bases)]));
  const best = counts.find(([base]) => !NO_KIND.test(base) && isKind(kindOf(base).at(-1) ?? ""));
  if (!best || best[1] < 3 || best[1] < types.length * share) return "";
  const kind = kindOf(best[0]);
  const head = kind.at(-1) ?? "";
  const members = based.filter(({ bases }) => bases.includes(best[0]));
  if (!isSpread(members, files)) return "";
  return membersPhrase(
    [...kind.slice(0, -1), pluralOf(head)],
    members.map(({ words }) => withoutEnd(words, kind)),
  );
}

const kindOf = (base: string): Words => withoutTrailing(wordsOf(base).filter((word) => !GENERIC.has(word)));
/** In upper case or with a digit it is an abbreviation, such as `Sql`. */
const isKind = (word: string) =>
  word !== "" &&
  !AUXILIARY.has(word) &&
  !PLAIN_BASES.has(word) &&
  !/\d/.test(word) &&
  readable([word]) === word;
/** `IHasImages` says what its types have, not what they are; `TranslationBase` what they share. */
const NO_KIND = /^I?(Has|Is|Can|Supports|With)[A-Z]|Base$/;

/** Types that at least two others of the directory extend: they are what the members have in common. */
export function commonBases(types: readonly DeclaredType[]): ReadonlySet<string> {
  const counts = counted(types.flatMap(({ bases }) => [...new Set(bases)]));
  return new Set(counts.flatMap(([base, count]) => (count > 1 ? [base] : [])));
}

/** The types after `extends`, `implements`, `:`, `<` or in brackets, without type arguments. */
export function basesOf(signature: string): readonly string[] {
  // In C#, constraints of type parameters follow.
  let plain = signature.replace(/\bwhere\b[\s\S]*$/, "");
  for (let depth = 0; depth < MAX_NESTING; depth++) plain = plain.replace(/(?<=\w)<[^<>]*>/g, "");
  const found = plain.matchAll(
    /(?:\bextends|\bimplements|\s<|[:,(])\s*(?:public )?(?:[\w$]+(?:\.|::|\\))*([A-Z]\w+)/g,
  );
  return [...found].map((match) => match[1] ?? "").filter((base) => !/^T[A-Z]/.test(base));
}
const MAX_NESTING = 4;

/** Types of standard libraries that everything may extend. */
const PLAIN_BASES: ReadonlySet<string> = new Set(
  (
    "object boolean sendable enum value named tuple serializable comparable disposable cloneable equatable hashable codable iterator iterable component control view string int self sized send sync record array map set list dict event any exception error " +
    "default clone copy debug display drop from into str ref deref mut hash eq ord serialize deserialize read write add sub mul div neg"
  ).split(" "),
);

/** Without the words that both end with: `ArtistsController` of `ApiController` is named after artists. */
function withoutEnd(words: Words, kind: Words): Words {
  const shared = words.toReversed().findIndex((word, at) => word !== kind[kind.length - 1 - at]);
  return words.slice(0, shared < 0 ? 0 : words.length - shared);
}
