import { languageOf, loadLanguage, type ParsedFile, type ParsedSymbol } from "../src/core/parse/parse.ts";
import { isProse, isTest, type MentionedCode, mentionPairs } from "./mentions.ts";
import { parametersOf, queryOf } from "./query.ts";
import type { ArchivedFile } from "./read-archive.ts";

export const PAIR_KINDS = [
  "doc",
  "vague",
  "file",
  "parameters",
  "readme",
  "change",
  "test",
  "section",
] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** A question and the code that answers it. */
export interface TrainingPair {
  /**
   * `doc`: first sentence of a doc comment. `vague`: a later sentence. `file`: what a file says of itself. `parameters`: what is
   * said of parameters and result. `readme`, `change`, `test`: prose, a changelog's line or a test's name that names the code.
   * `section`: a heading and its prose.
   */
  readonly kind: PairKind;
  readonly language: string;
  readonly name: string;
  readonly query: string;
  /** The doc comment without the sentence that is the query. */
  readonly rest: string;
  readonly signature: string;
  readonly code: string;
}

const MOST_PAIRS = 1_200;
const MOST_MENTIONS = 300;
const MAX_CODE = 3_000;
const MIN_CODE = 40;
const MAX_LINES = 90;
const MAX_AVERAGE_LINE = 120;
const GENERATED =
  /code generated .* do not edit|@generated|auto(matically)?[- ]?generated|this file (is|was) generated/i;
const SKIPPED_FOLDER =
  /(^|\/)(_?vendor(ed|_packages)?|externals?|extern|bundled|node_modules|third[_-]?party|testdata|fixtures?|tests?|__tests__|specs?|examples?|benches|benchmarks?|docs?|locales?|i18n|umd|generated|migrations)\//i;
const SKIPPED_FILE =
  /(_test\.go|\.pb\.go|zz_generated.*|_generated.*|bindata.*|\.min\.js|\.(test|spec)\.[jt]sx?|_pb2(_grpc)?\.py|test_.*\.py|conftest\.py|Tests?\.(java|cs|php|kt)|_(spec|test)\.rb|\.umd\.js|\.bundle\.js)$/i;
const DOCSTRING = /[rRuUbB]*("""|''')[\s\S]*?(\1|$)/;
/** Headings, keys and rules are no code that anybody asks for. */
const NOT_MINED = new Set(["markdown", "yaml", "toml", "json", "css", "html", "makefile", "dockerfile"]);

/** Everything that mining reads of a package. */
export const isRead = (path: string): boolean => isMined(path) || isProse(path) || isTest(path);

export const isMined = (path: string): boolean => {
  const language = languageOf(path);
  return (
    language !== undefined &&
    !NOT_MINED.has(language) &&
    !SKIPPED_FOLDER.test(path) &&
    !SKIPPED_FILE.test(path)
  );
};

/** The pairs of one package, in the order of its files; each question once. */
export async function minePackage(
  files: readonly ArchivedFile[],
  most = MOST_PAIRS,
): Promise<TrainingPair[]> {
  const pairs: TrainingPair[] = [];
  const declared: MentionedCode[] = [];
  for (const { path, text } of files) {
    if (pairs.length >= most) break;
    const language = languageOf(path);
    if (language === undefined || !isMined(path) || !isReadable(text)) continue;
    const parsed = (await loadLanguage(language))(text);
    const lines = text.split("\n");
    const isTyping = /\.d\.[cm]?ts$/.test(path);
    const isShort = ({ code }: MentionedCode) => isTyping && code.split("\n").length < 3;
    const found = [...filePairs(path, parsed), ...symbolPairs(parsed, lines)];
    pairs.push(...found.filter((pair) => !isShort(pair)));
    declared.push(...declaredIn(parsed, lines).filter((code) => !isShort(code)));
  }
  const seen = new Set<string>();
  const isNew = ({ query }: TrainingPair) => {
    const key = query.toLowerCase().replace(/\W+/g, " ");
    return seen.size < seen.add(key).size;
  };
  const mentions = mentionPairs(files, declared).filter(isNew).slice(0, MOST_MENTIONS);
  return [...pairs.filter(isNew).slice(0, most), ...mentions];
}

const isReadable = (text: string): boolean =>
  text.length / text.split("\n").length <= MAX_AVERAGE_LINE && !GENERATED.test(text.slice(0, 1_500));

function symbolPairs({ language, symbols }: ParsedFile, lines: readonly string[]): TrainingPair[] {
  return symbols.flatMap((symbol): TrainingPair[] => {
    const asked = symbol.doc === "" ? undefined : queryOf(symbol.doc, symbol.name);
    const code = codeOf(symbol, lines);
    if (!asked || code.length < MIN_CODE) return [];
    const base = { language, name: symbol.name, signature: symbol.signature, code };
    const pair: TrainingPair = { kind: "doc", ...base, query: asked.query, rest: asked.rest };
    const others = { vague: asked.second, parameters: parametersOf(symbol.doc, symbol.name) };
    return [
      pair,
      ...(["vague", "parameters"] as const).flatMap((kind) => {
        const query = others[kind];
        return query === undefined ? [] : [{ kind, ...base, query, rest: "" }];
      }),
    ];
  });
}

const declaredIn = ({ language, symbols }: ParsedFile, lines: readonly string[]): MentionedCode[] =>
  symbols
    .map((symbol) => ({
      language,
      name: symbol.name,
      signature: symbol.signature,
      code: codeOf(symbol, lines),
    }))
    .filter(({ code }) => code.length >= MIN_CODE);

/** The code without its doc comment, which is the question; a docstring stands inside of its function. */
function codeOf({ startLine, endLine, doc }: ParsedSymbol, lines: readonly string[]): string {
  const code = lines.slice(startLine - 1, Math.min(endLine, startLine - 1 + MAX_LINES)).join("\n");
  const first = doc.split("\n")[0]?.trim() ?? "";
  const isInside = first !== "" && code.slice(0, MAX_CODE).includes(first);
  return (isInside ? code.replace(DOCSTRING, "") : code).slice(0, MAX_CODE);
}

/** What a file says of itself asks for the file: its name and what it declares. */
function filePairs(path: string, { language, doc, symbols }: ParsedFile): TrainingPair[] {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const asked = doc === "" || symbols.length < 3 ? undefined : queryOf(doc, stem);
  if (!asked) return [];
  const folder = path.split("/").at(-2) ?? "";
  const code = symbols
    .map(({ signature }) => signature)
    .join("\n")
    .slice(0, MAX_CODE);
  return [
    {
      kind: "file",
      language,
      name: stem,
      query: asked.query,
      rest: asked.rest,
      signature: `${folder} ${stem}`,
      code,
    },
  ];
}
