import { byCodeUnit } from "../../../../../core/order.ts";
import { capital, enumerated, readable } from "../words.ts";

/** A name in its words, in lower case. */
export type Words = readonly string[];

/** A named thing and the file that declares it. */
export interface Member {
  readonly words: Words;
  readonly file: string;
}

/** Whether half of the files have members. Many in one file are a part of the directory, or examples. */
export function isSpread(members: readonly Member[], files: number): boolean {
  const own = new Set(members.map(({ file }) => file)).size;
  // Files that declare the same names are variants of one thing, such as the steps of a tutorial.
  return unique(members).length >= own && own * 2 >= files && members.length <= own * 2;
}

/** Names that end like this belong to another type: they say nothing about the kind of a directory. */
export const AUXILIARY: ReadonlySet<string> = new Set(
  (
    "option options config configuration setting settings param params parameter parameters prop props arg args argument arguments " +
    "result results type types kind error errors exception exceptions info data util utils utility helper helpers extension extensions " +
    "impl attribute attributes test tests fn func function callback constant constants version main index value values key map list entry item state states support supports future futures context contexts jvm js native posix nix common"
  ).split(" "),
);
/** First words of names that do not tell members apart. */
export const GENERIC: ReadonlySet<string> = new Set(
  "abstract base default i interface the generic internal basic get set new create make build use with is to add on infer".split(
    " ",
  ),
);
const NOT_A_MEMBER: ReadonlySet<string> = new Set("abstract base default i interface generic".split(" "));
/** `FormatterInterface`, `HandlerBase` and `PolicyImpl` are named after the word before. */
const TRAILING: ReadonlySet<string> = new Set(["interface", "base", "impl", "trait"]);

const MAX_NAMED = 4;
const MAX_WORDS = 4;
const MAX_EXAMPLES = 3;

/** A prefix that nearly all members share belongs to their kind. */
export function membersPhrase(kind: Words, variants: readonly Words[]): string {
  const prefix = sharedEnd(variants.map((words) => words.toReversed())).toReversed();
  const kinds = capital(readable([...withoutOverlap(prefix, kind), ...kind]));
  const rests = variants.map((words) =>
    !isCut(words) && prefix.every((word, at) => words[at] === word) ? words.slice(prefix.length) : words,
  );
  // `AbstractStore` is what the members extend.
  const members = rests.filter(([first]) => first !== undefined && !NOT_A_MEMBER.has(first));
  // Long names are left out. Short ones are the usual ones.
  const telling = members
    .filter((words) => words.length < MAX_WORDS && words.join("").length > 1 && !isCut(words))
    .toSorted((a, b) => a.length - b.length || byCodeUnit(a.join(), b.join()));
  const names = [...new Set(telling.map(readable))];
  if (names.length < 3) return "";
  return names.length <= MAX_NAMED && telling.length === members.length
    ? `${kinds}: ${enumerated(names)}`
    : `${kinds}, such as ${enumerated(names.slice(0, MAX_EXAMPLES))}`;
}

/** Without its end, `StringToString` would be `string to`. */
const isCut = (words: Words) => words.length > 1 && /^(to|from|of|for|by|with)$/.test(words.at(-1) ?? "");

/** `zend adapter` before `zend adapters`, or `bench` before `benchmarks`, says nothing more. */
function withoutOverlap(prefix: Words, kind: Words): Words {
  const from = prefix.findIndex((_, at) =>
    prefix.slice(at).every((word, index) => kind[index]?.startsWith(word)),
  );
  return from < 0 ? prefix : prefix.slice(0, from);
}

/** The last words that at least four of five lists share. */
export function sharedEnd(lists: readonly Words[]): Words {
  const shared: string[] = [];
  for (;;) {
    const longer = lists.filter((words) => words.length > shared.length);
    const [best] = counted(longer.map((words) => words[words.length - 1 - shared.length] ?? ""));
    if (!best || best[1] < lists.length * 0.8 || best[1] < 3 || GENERIC.has(best[0])) return shared;
    shared.unshift(best[0]);
  }
}

/** `FormatterInterface` says what the members are. It is not one of them. */
export const isAboutMembers = (words: Words): boolean => /^(interface|trait|base)$/.test(words.at(-1) ?? "");

export function withoutTrailing(words: Words): Words {
  return words.length > 1 && TRAILING.has(words.at(-1) ?? "") ? words.slice(0, -1) : words;
}

export const unique = (members: readonly Member[]): readonly Member[] => [
  ...new Map(members.map((member) => [member.words.join(" "), member])).values(),
];

/** The most frequent first. */
export function counted(items: readonly string[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort(([a, most], [b, more]) => more - most || byCodeUnit(a, b));
}
