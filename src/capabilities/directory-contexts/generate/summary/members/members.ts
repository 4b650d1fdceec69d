import { extensionOf, stemOf } from "../../../read/source-files.ts";
import type { SourceFile } from "../../sources/sources.ts";
import { publicSymbols } from "../public-symbols.ts";
import { singularOf, wordsOf } from "../words.ts";
import { counted, membersPhrase } from "./phrases.ts";
import { basesOf, commonBases, type DeclaredType, membersByBase } from "./shared-base.ts";
import { membersByName } from "./shared-names.ts";

/**
 * What the members of a directory are: `Statement handlers: callable, prepared and simple`. The kind comes from the
 * directory's name, from the last words that most names share, or from the type that most types extend. Empty if the
 * members do not agree, or if only a few of the files have them.
 */
export function describeMembers(directoryName: string, sources: readonly SourceFile[]): string {
  const code = sources.filter(
    ({ name, parsed, isTest }) =>
      parsed && !isTest && !/\.min\.\w+$|\.(css|less|s[ac]ss|styl|html?)$/.test(name),
  );
  const declared = code.flatMap(typesOf);
  const types = declared.filter(({ isAbstract }) => !isAbstract);
  const bases = commonBases(types);
  const isMember = ({ isAbstract, name }: DeclaredType) => !isAbstract && !bases.has(name);
  const own = singularOf(wordsOf(directoryName).at(-1) ?? "");
  const files = code.filter(({ name }) => !ENTRY.has(stemOf(name).replace(/\W|_/g, ""))).length;
  return (
    membersByFile(directoryName, code) ||
    // `LoadEnv` and `WithEnv` may be commands: what nearly all types extend says more than how they are called.
    membersByBase(types, files, NEARLY_ALL) ||
    membersByName(
      declared.filter(isMember).map(({ name, file }) => ({ words: wordsOf(name), file })),
      {
        own,
        files,
        beside: [...new Set(declared.filter((type) => !isMember(type)).map(({ name }) => name))].map(wordsOf),
      },
    ) ||
    membersByBase(types, files, HALF) ||
    // What does not hold for the types does not hold for the files that declare them.
    (declared.length > 0
      ? ""
      : membersByName(
          code.map(({ name }) => ({ words: wordsOf(stemOf(name)), file: name })),
          { own, files },
        ))
  );
}

const HALF = 0.5;
const NEARLY_ALL = 0.9;

/** The types that a file exports, with what they extend. An error is what goes wrong, whatever its name ends with. */
const typesOf = (source: SourceFile): readonly DeclaredType[] =>
  publicSymbols(source)
    .filter(({ kind, signature }) => CONCRETE_KINDS.has(kind) && !ERROR.test(signature))
    .map(({ kind, name, signature }) => ({
      ...{ name, file: source.name },
      // In Ruby, a module is a namespace, or a part of classes.
      isAbstract: /\babstract\s/.test(signature) || (kind === "module" && source.parsed?.language === "ruby"),
      bases:
        source.parsed?.language !== "rust"
          ? basesOf(signature)
          : kind === "enum"
            ? []
            : traitsOf(name, source.text),
    }));

/** In Rust, what a type implements is beside its declaration. An enumeration of the members implements it too. */
const traitsOf = (type: string, text: string): readonly string[] =>
  [...text.matchAll(IMPLEMENTATION)].flatMap(([, trait = "", of = ""]) => (of === type ? [trait] : []));
const IMPLEMENTATION = /^impl(?:<[^{}\n]{0,80}>)? (?:\w+::)*(\w+)(?:<[^{}\n]{0,80}>)? for (\w+)/gm;

const CONCRETE_KINDS: ReadonlySet<string> = new Set(
  "class struct module object enum annotation record".split(" "),
);
const ERROR = /(\bextends|[:(<])\s*[\w.:\\]*(Exception|Error)\b/;

/** In a directory such as `commands`, each file is one of them. */
function membersByFile(directoryName: string, code: readonly SourceFile[]): string {
  const kind = wordsOf(directoryName);
  const own = singularOf(kind.at(-1) ?? "");
  if (!INSTANCES.has(own) || own === kind.at(-1)) return "";
  // What has another extension helps the members.
  const [usual] = counted(code.map(({ name }) => extensionOf(name)))[0] ?? [];
  const stems = code
    .filter(({ name }) => extensionOf(name) === usual)
    // The files of a Go package are parts of one thing.
    .filter(({ parsed }) => !/css|html|json|yaml|^go$/.test(parsed?.language ?? ""))
    // A file with the name of a class may be about anything, except a component of a page.
    .filter(
      ({ name, parsed }) => /^\p{Ll}/u.test(name) || /script|tsx|vue|svelte/.test(parsed?.language ?? ""),
    )
    .map(({ name }) => wordsOf(stemOf(name)))
    // `plugin_fetcher` fetches plugins.
    .filter(([first = ""]) => !ENTRY.has(first) && singularOf(first) !== own);
  // `deploy-command` names the kind too.
  return membersPhrase(
    kind,
    stems.map((words) => words.filter((word) => singularOf(word) !== own)),
  );
}
const ENTRY: ReadonlySet<string> = new Set(
  "index main mod init all util utils types constants package module test base common helper helpers".split(
    " ",
  ),
);
const INSTANCES: ReadonlySet<string> = new Set(
  (
    "annotation command subcommand component page plugin adapter decorator rule tag task widget icon route " +
    "example sample benchmark recipe"
  ).split(" "),
);
