import { stemOf } from "../../../read/source-files.ts";
import type { SourceFile } from "../../sources/sources.ts";
import { publicSymbols } from "../public-symbols.ts";
import { capital, enumerated, pluralOf, readable, singularOf, wordsOf } from "../words.ts";
import {
  AUXILIARY,
  counted,
  examplesOf,
  GENERIC,
  MAX_EXAMPLES,
  membersPhrase,
  SUCH_AS,
  unique,
  type Words,
} from "./phrases.ts";
import { membersByBase } from "./shared-base.ts";
import { membersByName, sharedEnd } from "./shared-names.ts";

/**
 * What the members of a directory are: `Statement handlers: callable, prepared and simple`. The kind comes from the last
 * words that most names share, from the type that most types extend, or from the directory's name. Empty if there is none.
 */
export function describeMembers(directoryName: string, sources: readonly SourceFile[]): MembersDescription {
  const code = sources.filter(({ name, parsed, isTest }) => parsed && !isTest && !/\.min\.\w+$/.test(name));
  const types = code.flatMap(typesOf);
  const names = unique(types.map(({ name }) => wordsOf(name)));
  const functions = unique(
    code
      .flatMap(publicSymbols)
      .flatMap(({ kind, name }) => (kind === "function" ? [asHandlerName(wordsOf(name))] : [])),
  );
  const own = singularOf(wordsOf(directoryName).at(-1) ?? "");
  const text =
    membersByFile(directoryName, code) ||
    membersByName(names, own) ||
    membersByBase(types) ||
    membersByName(functions, own, 4) ||
    membersByName(unique(code.map(({ name }) => wordsOf(stemOf(name)))), own) ||
    functionsByVerb(functions) ||
    partsOfOne(names);
  return { text, isLarge: text.includes(SUCH_AS) };
}

/** The types that a file exports. In scripts, an alias often names a part of a type. */
export const typesOf = (source: SourceFile) =>
  publicSymbols(source).filter(
    ({ kind }) =>
      TYPE_KINDS.has(kind) && (kind !== "type" || !/script|tsx/.test(source.parsed?.language ?? "")),
  );

/** `handleCreate` is a create handler. */
const asHandlerName = (words: Words): Words =>
  words[0] === "handle" ? [...words.slice(1), "handler"] : words;

const TYPE_KINDS: ReadonlySet<string> = new Set(
  "class struct interface trait module type object enum annotation record protocol".split(" "),
);

interface MembersDescription {
  readonly text: string;
  /** More members than the text names. */
  readonly isLarge: boolean;
}
/** In a directory such as `commands`, each file is one of them. */
function membersByFile(directoryName: string, code: readonly SourceFile[]): string {
  const kind = wordsOf(directoryName);
  const own = singularOf(kind.at(-1) ?? "");
  if (!INSTANCES.has(own) || own === kind.at(-1)) return "";
  const stems = code
    // The files of a Go package are parts of one thing.
    .filter(({ parsed }) => !/css|html|json|yaml|^go$/.test(parsed?.language ?? ""))
    // A file with the name of a class may be about anything, except a component of a page.
    .filter(
      ({ name, parsed }) => /^\p{Ll}/u.test(name) || /script|tsx|vue|svelte/.test(parsed?.language ?? ""),
    )
    .map(({ name }) => wordsOf(stemOf(name)))
    .filter((words) => !ENTRY.has(words[0] ?? ""));
  const variants = stems.map((words) =>
    singularOf(words.at(-1) ?? "") === own ? words.slice(0, -1) : words,
  );
  return examplesOf(variants).length < 3 ? "" : membersPhrase(kind, variants);
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
  "package",
  "module",
  "test",
]);
const INSTANCES: ReadonlySet<string> = new Set(
  (
    "annotation command subcommand component page plugin adapter decorator rule tag task widget icon route " +
    "example sample benchmark script recipe tool"
  ).split(" "),
);

/** Functions that do the same with different things. */
function functionsByVerb(functions: readonly Words[]): string {
  const longer = functions.filter((words) => words.length > 1);
  const [best] = counted(longer.map(([verb = ""]) => verb));
  if (!best || best[1] < 4 || best[1] * 2 < functions.length || !VERBS.has(best[0])) return "";
  const objects = longer.filter(([verb]) => verb === best[0]).map((words) => words.slice(1));
  const plural = objects.map((words) => [...words.slice(0, -1), pluralOf(singularOf(words.at(-1) ?? ""))]);
  const shown = examplesOf(plural).slice(0, MAX_EXAMPLES);
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
  if (!best || best[1] < 3 || best[1] * 5 < members.length * 3 || GENERIC.has(best[0])) return "";
  const own = reversed.filter((words) => words.at(-1) === best[0]);
  const prefix = own.length > 2 ? sharedEnd(own).toReversed() : [best[0]];
  const rests = own.map((words) => words.slice(0, words.length - prefix.length).toReversed());
  const parts = examplesOf(rests);
  const isOne = rests.some(({ length }) => length === 0);
  if (parts.length < (isOne ? 3 : 2) || parts.length > MAX_PARTS) return "";
  return `${capital(readable(prefix))}${isOne ? " and its" : ""} ${enumerated(parts)}`;
}

const MAX_PARTS = 6;
