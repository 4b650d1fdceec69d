import { byCodeUnit } from "../../../../core/order.ts";
import { stemOf } from "../../read/source-files.ts";
import type { SourceFile } from "../sources/sources.ts";
import { publicSymbols } from "./public-symbols.ts";
import { capital, enumerated, pluralOf, readable, singularOf, wordsOf } from "./words.ts";

/**
 * What the members of a directory are: `Statement handlers: callable, prepared and simple`. The kind comes from the last
 * words that most names share, from the type that most types extend, or from the directory's name. Empty if there is none.
 */
export function describeFamily(directoryName: string, sources: readonly SourceFile[]): Family {
  const code = sources.filter(({ parsed, isTest }) => parsed && !isTest);
  const types = code.flatMap(typesOf);
  const names = unique(types.map(({ name }) => wordsOf(name)));
  const functions = unique(
    code
      .flatMap(publicSymbols)
      .flatMap(({ kind, name }) => (kind === "function" ? [doerOf(wordsOf(name))] : [])),
  );
  const own = singularOf(wordsOf(directoryName).at(-1) ?? "");
  const text =
    familyOfNames(names, own) ||
    familyOfBase(types) ||
    instancesOf(directoryName, code) ||
    familyOfNames(functions, own, 4) ||
    familyOfNames(unique(code.map(({ name }) => wordsOf(stemOf(name)))), own) ||
    familyOfVerb(functions) ||
    partsOfOne(names) ||
    severalKinds(names);
  return { text, isLarge: text.includes(SUCH_AS) };
}

/** The types that a file exports. In scripts, an alias often names a part of a type. */
export const typesOf = (source: SourceFile) =>
  publicSymbols(source).filter(
    ({ kind }) =>
      TYPE_KINDS.has(kind) && (kind !== "type" || !/script|tsx/.test(source.parsed?.language ?? "")),
  );

/** `handleCreate` is a create handler. */
const doerOf = (words: Words): Words => (words[0] === "handle" ? [...words.slice(1), "handler"] : words);

const TYPE_KINDS: ReadonlySet<string> = new Set(
  "class struct interface trait module type object enum annotation record protocol".split(" "),
);

interface Family {
  readonly text: string;
  /** More members than the text names. */
  readonly isLarge: boolean;
}
const SUCH_AS = ", such as ";
type Words = readonly string[];

/** Names that end like this belong to another type: they say nothing about the kind of a directory. */
export const AUXILIARY: ReadonlySet<string> = new Set(
  (
    "option options config configuration setting settings param params parameter parameters prop props arg args argument arguments " +
    "result results type types kind error errors exception exceptions info data util utils utility helper helpers extension extensions " +
    "impl attribute attributes test tests fn func function callback constant constants version main index value values key map list entry item"
  ).split(" "),
);
/** First words of names that do not tell members of a family apart. */
const GENERIC: ReadonlySet<string> = new Set(
  "abstract base default i interface the my generic internal basic get set new create make build use with is to add on infer".split(
    " ",
  ),
);
const NOT_A_MEMBER: ReadonlySet<string> = new Set(
  "abstract base default i interface generic internal".split(" "),
);
/** `FormatterInterface`, `HandlerBase` and `PolicyImpl` are named after the word before. */
const TRAILING: ReadonlySet<string> = new Set(["interface", "base", "impl", "trait"]);

function familyOfNames(names: readonly Words[], own: string, least = 3): string {
  const members = names.map(withoutTrailing).filter((words) => !AUXILIARY.has(words.at(-1) ?? ""));
  const counts = counted(members.map((words) => singularOf(words.at(-1) ?? "")));
  const named = counts.find(([head]) => head === own);
  const best = named && named[1] * 2 > (counts[0]?.[1] ?? 0) ? named : counts[0];
  if (best === undefined) return "";
  const [head, count] = best;
  if (count < least || count < members.length * (head === own ? 0.3 : 0.5) || head.length < 3) return "";
  return sentenceOf(members.filter((words) => singularOf(words.at(-1) ?? "") === head));
}

/** The kind is the suffix and the prefix that nearly all members share; the rest tells them apart. */
function sentenceOf(members: readonly Words[]): string {
  const suffix = sharedEnd(members);
  const prefix = sharedEnd(members.map((words) => words.slice(0, -suffix.length).toReversed())).toReversed();
  const variants = members.map((words) => {
    const rest = words.slice(0, -suffix.length);
    return prefix.every((word, at) => rest[at] === word) ? rest.slice(prefix.length) : rest;
  });
  const head = suffix.at(-1) ?? "";
  return told([...prefix, ...suffix.slice(0, -1), pluralOf(singularOf(head))], variants);
}

/** The last words that at least four of five lists share, if these lists have more words than that. */
function sharedEnd(lists: readonly Words[]): Words {
  const shared: string[] = [];
  for (;;) {
    const longer = lists.filter((words) => words.length > shared.length);
    const [best] = counted(longer.map((words) => words[words.length - 1 - shared.length] ?? ""));
    if (!best || best[1] < lists.length * 0.8 || best[1] < 3 || GENERIC.has(best[0])) return shared;
    shared.unshift(best[0]);
  }
}

/** Types that extend or implement the same type. */
function familyOfBase(types: readonly { readonly name: string; readonly signature: string }[]): string {
  const based = types.map(({ name, signature }) => ({ words: wordsOf(name), bases: basesOf(signature) }));
  const [best] = counted(based.flatMap(({ bases }) => [...new Set(bases)]));
  if (!best || best[1] < 3 || best[1] * 2 < types.length) return "";
  const kind = withoutTrailing(wordsOf(best[0]).filter((word) => !GENERIC.has(word)));
  const head = kind.at(-1);
  if (head === undefined || AUXILIARY.has(head) || PLAIN_BASES.has(head)) return "";
  const members = based.flatMap(({ words, bases }) => (bases.includes(best[0]) ? [words] : []));
  return told(
    [...kind.slice(0, -1), pluralOf(head)],
    members.map((words) => withoutEnd(words, kind)),
  );
}
/** The types after `extends`, `implements`, `:`, `<` or in brackets, without type arguments. */
function basesOf(signature: string): string[] {
  let plain = signature;
  for (let depth = 0; depth < MAX_NESTING; depth++) plain = plain.replace(/(?<=\w)<[^<>]*>/g, "");
  const found = plain.matchAll(/(?:\bextends|\bimplements|\s<|[:,(])\s*(?:[\w$]+(?:\.|::|\\))*([A-Z]\w+)/g);
  return [...found].map((match) => match[1] ?? "").filter((base) => !/^T[A-Z]/.test(base));
}
const MAX_NESTING = 4;

/** Types of standard libraries that everything may extend. */
const PLAIN_BASES: ReadonlySet<string> = new Set(
  "object enum value named tuple serializable comparable disposable cloneable equatable hashable codable iterator iterable component string int self sized send sync record array map set list dict event any exception error".split(
    " ",
  ),
);

const withoutEnd = (words: Words, end: Words) =>
  end.every((word, at) => words[words.length - end.length + at] === word)
    ? words.slice(0, -end.length)
    : words;

/** In a directory such as `commands`, each file is one of them. */
function instancesOf(directoryName: string, code: readonly SourceFile[]): string {
  const kind = wordsOf(directoryName);
  const own = singularOf(kind.at(-1) ?? "");
  if (!INSTANCES.has(own) || own === kind.at(-1)) return "";
  const stems = code
    .filter(({ parsed }) => !/css|html|json|yaml/.test(parsed?.language ?? ""))
    .map(({ name }) => wordsOf(stemOf(name)))
    .filter((words) => !ENTRY.has(words[0] ?? ""));
  const variants = stems.map((words) =>
    singularOf(words.at(-1) ?? "") === own ? words.slice(0, -1) : words,
  );
  return shownOf(variants).length < 3 ? "" : told(kind, variants);
}
const ENTRY: ReadonlySet<string> = new Set([
  "index",
  "main",
  "mod",
  "init",
  "util",
  "utils",
  "types",
  "constants",
]);
const INSTANCES: ReadonlySet<string> = new Set(
  (
    "annotation command subcommand component page plugin adapter decorator migration rule tag task model widget icon route " +
    "example sample benchmark script recipe tool"
  ).split(" "),
);

/** Functions that do the same with different things. */
function familyOfVerb(functions: readonly Words[]): string {
  const longer = functions.filter((words) => words.length > 1);
  const [best] = counted(longer.map(([verb = ""]) => verb));
  if (!best || best[1] < 4 || best[1] * 2 < functions.length || !VERBS.has(best[0])) return "";
  const objects = longer.filter(([verb]) => verb === best[0]).map((words) => words.slice(1));
  const plural = objects.map((words) => [...words.slice(0, -1), pluralOf(singularOf(words.at(-1) ?? ""))]);
  const shown = shownOf(plural).slice(0, MAX_EXAMPLES);
  return shown.length < 3 ? "" : `Functions that ${best[0]} ${enumerated([...shown, "more"])}`;
}
const VERBS: ReadonlySet<string> = new Set(
  "parse format validate render encode decode convert normalize compare generate serialize deserialize read write load compute check assert transform print resolve extract merge create build".split(
    " ",
  ),
);

/** Types whose names start with the same words: `Mapper method, proxy and registry`. */
function partsOfOne(names: readonly Words[]): string {
  const members = names.filter((words) => !AUXILIARY.has(words.at(-1) ?? ""));
  const reversed = members.map((words) => words.toReversed());
  const [best] = counted(members.map(([first = ""]) => first));
  if (!best || best[1] < 2 || best[1] * 5 < members.length * 3 || GENERIC.has(best[0])) return "";
  const own = reversed.filter((words) => words.at(-1) === best[0]);
  const prefix = own.length > 2 ? sharedEnd(own).toReversed() : [best[0]];
  const rests = own.map((words) => words.slice(0, words.length - prefix.length).toReversed());
  const parts = shownOf(rests);
  if (parts.length < 2 || parts.length > MAX_PARTS) return "";
  return `${capital(readable(prefix))}${rests.some(({ length }) => length === 0) ? " and its" : ""} ${enumerated(parts)}`;
}

/** Two or three kinds that most types are of: `Resolvers, converters and builders`. */
function severalKinds(names: readonly Words[]): string {
  const heads = names
    .map((words) => singularOf(withoutTrailing(words).at(-1) ?? ""))
    .filter((head) => !AUXILIARY.has(head));
  const kinds = counted(heads)
    .filter(([head, count]) => count > 1 && head.length > 3 && !VAGUE.has(head))
    .slice(0, MAX_EXAMPLES);
  const covered = kinds.reduce((sum, [, count]) => sum + count, 0);
  if (kinds.length < 2 || covered * 5 < heads.length * 3) return "";
  return capital(enumerated(kinds.map(([head]) => pluralOf(head))));
}

/** Kinds that any directory may have. */
const VAGUE: ReadonlySet<string> = new Set(["object", "factory", "class", "node", "state", "item", "entry"]);

const MAX_PARTS = 6;
const MAX_NAMED = 4;
const MAX_EXAMPLES = 3;

function told(kind: Words, variants: readonly Words[]): string {
  const all = shownOf(variants);
  if (all.length < 2) return "";
  const kinds = capital(readable(kind));
  return all.length <= MAX_NAMED
    ? `${kinds}: ${enumerated(all)}`
    : `${kinds}${SUCH_AS}${enumerated(all.slice(0, MAX_EXAMPLES))}`;
}

/** Short ones first: they are the usual ones. */
function shownOf(variants: readonly Words[]): string[] {
  const telling = variants
    .map((words) => {
      const own = words.filter((word) => !GENERIC.has(word));
      return own.length > 0 || NOT_A_MEMBER.has(words[0] ?? "") ? own : words;
    })
    .filter((words) => words.length > 0 && words.length < 4 && words.join("").length > 1);
  return [
    ...new Set(
      telling.toSorted((a, b) => a.length - b.length || byCodeUnit(a.join(), b.join())).map(readable),
    ),
  ];
}

function withoutTrailing(words: Words): Words {
  return words.length > 1 && TRAILING.has(words.at(-1) ?? "") ? words.slice(0, -1) : words;
}

const unique = (names: readonly Words[]): readonly Words[] => [
  ...new Map(names.map((words) => [words.join(" "), words])).values(),
];

/** The most frequent first. */
function counted(items: readonly string[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort(([a, most], [b, more]) => more - most || byCodeUnit(a, b));
}
