import { LANGUAGES, type LanguageId, languageOf } from "./languages.ts";
import type { LineRange } from "./lines.ts";
import type { ExportedName } from "./rules.ts";

export { type ExportedName, type LanguageId, type LineRange, languageOf };

export interface ParsedSymbol {
  readonly name: string;
  /** Go's words where they fit (function, method, struct, interface, type, const, var); beside them class, enum, macro, module. */
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
  /** Lines where a long body may be cut: the first line of each statement inside. Only given for long symbols. */
  readonly cuts: readonly number[];
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
  readonly problems: readonly ParseProblem[];
}

/** Larger sources are not parsed: a syntax tree takes many times the memory of its text. */
export const MAX_PARSED_LENGTH = 2_000_000;

/** The symbols of one file; `undefined` where its language is not known. Never throws on any text. */
export async function parseSource(path: string, text: string): Promise<ParsedFile | undefined> {
  const language = languageOf(path);
  return language === undefined ? undefined : (await loadLanguage(language))(text);
}

/** For many files: a synchronous parser for one language, loaded once for each thread. */
export function loadLanguage(id: LanguageId): Promise<(text: string) => ParsedFile> {
  const known = loaded.get(id);
  if (known) return known;
  const loading = load(id);
  loaded.set(id, loading);
  loading.catch(() => loaded.delete(id));
  return loading;
}

const loaded = new Map<LanguageId, Promise<(text: string) => ParsedFile>>();

async function load(id: LanguageId): Promise<(text: string) => ParsedFile> {
  const [{ openGrammar }, { readSource }, rules] = await Promise.all([
    import("./grammar.ts"),
    import("./read-source.ts"),
    LANGUAGES[id].rules(),
  ]);
  const parse = await openGrammar(LANGUAGES[id].grammar);
  return (text) => {
    if (text.length > MAX_PARSED_LENGTH) return unread(id, "the file is too large to parse");
    try {
      const parsed = parse(text, (root) => readSource({ id, rules, text, root }));
      return parsed ?? unread(id, "the file took too long to parse");
    } catch (thrown) {
      // The stack ends before the nesting of a hostile or generated text does.
      if (thrown instanceof RangeError) return unread(id, "the file is nested too deeply to parse");
      throw thrown;
    }
  };
}

const unread = (language: LanguageId, message: string): ParsedFile => ({
  language,
  doc: "",
  imports: [],
  header: [],
  notices: [],
  symbols: [],
  problems: [{ line: 1, message }],
});
