import { type KnownLanguage, languageById } from "./languages.ts";
import type { LineRange } from "./lines.ts";
import { readPatterns } from "./patterns.ts";
import type { ReferenceSource } from "./references/reference-reader.ts";
import type { FileReferences } from "./references/references.ts";
import type { ExportedName, MemberName, PatternTable, Rules } from "./rules.ts";
import { documentLanguageOf, type LanguageId, languageOf } from "./source-files.ts";

export { documentLanguageOf, type ExportedName, type LanguageId, type LineRange, languageOf };

export interface ParsedSymbol {
  readonly name: string;
  /** Go's words where they fit (function, method, struct, interface, type, const, var); beside them class, enum, macro, module, field. */
  readonly kind: string;
  /** The declaration's head on one line, without its body. */
  readonly signature: string;
  /** The doc comment's text without comment marks; empty where there is none. */
  readonly doc: string;
  /** 1-based, with attributes or decorators, without the doc comment. */
  readonly startLine: number;
  readonly endLine: number;
  /** First line of the doc comment, or startLine. */
  readonly docStartLine: number;
  readonly exported: boolean;
  /** The names it is exported by, where that is not just its own. */
  readonly exportedAs?: readonly string[];
  /** The type a method belongs to, the class of a member. */
  readonly parent?: string;
  /** Go: the receiver as written, e.g. `*Store[T]`. */
  readonly receiver?: string;
  /** First line of the parenthesised block this was declared in. */
  readonly groupLine?: number;
  /** True where members of this symbol are symbols of their own. */
  readonly hasMembers?: boolean;
  /** A test, or code for tests, in a file that is not one of tests. */
  readonly isTest?: true;
  /** A function without its body, which is elsewhere. */
  readonly isDeclaredOnly?: true;
  /** Lines where a long body may be cut: the first line of each statement inside. Only given for long symbols. */
  readonly cuts: readonly number[];
}
/** A name inside of a symbol that is no symbol of its own. */
export interface ParsedMember extends MemberName {
  /** The symbol that holds it. */
  readonly parent: string;
  /** 1-based. */
  readonly line: number;
  /** As it is written, on one line. */
  readonly signature: string;
}
export interface ParseProblem {
  readonly line: number;
  readonly message: string;
}
export interface ParsedFile {
  readonly language: LanguageId;
  /** Go: the package clause. Java: the package. */
  readonly packageName?: string;
  /** Go: the build constraint of the file. */
  readonly build?: string;
  /** Comment that documents the file, module or package. */
  readonly doc: string;
  /** What the file imports, as written. */
  readonly imports: readonly string[];
  /** What it exports that is none of its symbols: names of other modules, functions in an exported object. */
  readonly exports?: readonly ExportedName[];
  /** Where the package clause and the imports stand, in runs without code between them. */
  readonly header: readonly LineRange[];
  /** Comments around the header that do not speak of the code: licences, marks for tools. */
  readonly notices: readonly LineRange[];
  /** In the order of the source; members follow what holds them. */
  readonly symbols: readonly ParsedSymbol[];
  /** In the order of the source. */
  readonly members?: readonly ParsedMember[];
  readonly problems: readonly ParseProblem[];
  /** The uses of names, if they were asked for. */
  readonly references?: FileReferences;
}
interface ParseOptions {
  readonly withReferences?: boolean;
}

/** Larger sources are not parsed: a syntax tree takes many times the memory of its text. */
export const MAX_PARSED_LENGTH = 2_000_000;

/** The symbols of one file; `undefined` if its language is not known. Never throws on any text. */
export async function parseSource(path: string, text: string): Promise<ParsedFile | undefined> {
  const language = languageOf(path, text.slice(0, 300).split("\n", 1)[0]);
  return language === undefined ? undefined : (await loadLanguage(language))(text);
}

/** For many files: a synchronous parser for one language, loaded once for each thread. */
export const loadLanguage = (id: LanguageId): Promise<ParseText> => loadOnce(id);

/** A tree that is nothing but this many loose parts says no more than the lines do. */
const MAX_LOST_PARTS = 150_000;

type ParseText = (text: string, options?: ParseOptions) => ParsedFile;

function loadOnce(id: string): Promise<ParseText> {
  const known = loaded.get(id);
  if (known) return known;
  const loading = load(id);
  loaded.set(id, loading);
  loading.catch(() => loaded.delete(id));
  return loading;
}

const loaded = new Map<string, Promise<ParseText>>();

async function load(id: string): Promise<ParseText> {
  const language = languageById(id);
  if (language === undefined) throw new Error(`Unknown language: ${id}`);
  const read = await openReader(language);
  const delegate = "delegate" in language ? language.delegate : undefined;
  if (delegate === undefined) return read;
  const others = new Map(
    await Promise.all(delegate.to.map(async (other) => [other, await loadOnce(other)] as const)),
  );
  return (text, options) => {
    const code = delegate.find(text);
    const other = code && others.get(code.language);
    return other ? { ...other(code.text, options), language: language.id } : read(text, options);
  };
}

async function openReader(language: KnownLanguage): Promise<ParseText> {
  const { id } = language;
  if ("patterns" in language)
    return (text) => ({ ...NOTHING, language: id, symbols: readPatterns(text, language.patterns) });
  return "grammar" in language ? openTreeReader(id, language) : () => ({ ...NOTHING, language: id });
}

async function openTreeReader(
  language: LanguageId,
  { grammar, rules, ...source }: { readonly grammar: string; readonly rules: Rules } & ReferenceSource,
): Promise<ParseText> {
  const [{ openGrammar }, { readSource }, { referenceReader }] = await Promise.all([
    import("./grammar.ts"),
    import("./read-source.ts"),
    import("./references/reference-reader.ts"),
  ]);
  const opened = await openGrammar(grammar);
  let readReferences: ReturnType<typeof referenceReader> | undefined;
  const unread = (text: string, message: string): ParsedFile => ({
    ...NOTHING,
    language,
    symbols: readPatterns(text, rules.recovery ?? LIKELY_DEFINITIONS),
    problems: [{ line: 1, message }],
  });
  return (text, options) => {
    if (text.length > MAX_PARSED_LENGTH) return unread(text, "the file is too large to parse");
    if (isNestedTooDeeply(text)) return unread(text, TOO_DEEP);
    try {
      const parsed = opened.parse(rules.prepare?.(text) ?? text, (root) => {
        if (root.isError && root.childCount > MAX_LOST_PARTS)
          return unread(text, "the file is not in the language of its name");
        const file = readSource({ id: language, rules, text, root });
        if (!options?.withReferences) return file;
        readReferences ??= referenceReader(opened, source);
        return { ...file, references: readReferences(root, text, file) };
      });
      return parsed ?? unread(text, "the file took too long to parse");
    } catch (thrown) {
      // The stack ends before the nesting of a hostile or generated text does.
      if (thrown instanceof RangeError) return unread(text, TOO_DEEP);
      if (thrown instanceof Error && thrown.name === "RuntimeError")
        return unread(text, "the parser failed on this file");
      throw thrown;
    }
  };
}

const TOO_DEEP = "the file is nested too deeply to parse";
/** Deeper brackets overflow the parser's own stack, which has no guard: the next files would fail too. */
const MAX_NESTING = 2_000;

/** True for a text that no parser should be given. */
export function isNestedTooDeeply(text: string): boolean {
  if (text.length <= MAX_NESTING) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 40:
      case 91:
      case 123:
        if (++depth > MAX_NESTING) return true;
        break;
      case 41:
      case 93:
      case 125:
        if (depth > 0) depth--;
    }
  }
  return false;
}

const NOTHING = { doc: "", imports: [], header: [], notices: [], symbols: [], problems: [] } as const;

/** For a file whose syntax tree cannot be had: heads that mean the same in most languages. */
const LIKELY_DEFINITIONS: PatternTable = {
  extent: "line",
  comment: /^\s*(?:\/\/|#(?!\s*define)|--|\*)/,
  definitions: [
    {
      kind: "function",
      match:
        /^(?:[\w@]+\s+){0,5}(?:function|func|fun|fn|def|sub|defp?)\s+(?:\([^)]{0,100}\)\s*)?(?<name>[\w$]+)/,
    },
    {
      kind: "class",
      match: /^(?:[\w@]+\s+){0,5}(?:class|trait|protocol|object|module|defmodule)\s+(?<name>[\w$.]+)/,
    },
    { kind: "struct", match: /^(?:[\w@]+\s+){0,4}(?:struct|union|record)\s+(?<name>\w+)/ },
    { kind: "interface", match: /^(?:[\w@]+\s+){0,4}interface\s+(?<name>\w+)/ },
    { kind: "enum", match: /^(?:[\w@]+\s+){0,4}enum\s+(?:class\s+)?(?<name>\w+)/ },
  ],
};
