import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type LanguageId, languageOf, loadLanguage, type ParsedFile } from "../../src/core/parse/parse.ts";

/**
 * Compares our symbols with those of universal-ctags over source trees: `npm run check:ctags [DIRECTORY…]`.
 * Only functions, methods and types count, and only those outside of functions: what is inside belongs to the function.
 */
const WANTED = 0.97;
/** Fewer say nothing about a language. */
const MIN_DEFINITIONS = 30;
const SHOWN = 12;
const MAX_BYTES = 2_000_000;

/** The name in ctags, and the letters of the kinds that count. */
const KINDS: Readonly<Partial<Record<LanguageId, readonly [name: string, kinds: string]>>> = {
  bash: ["Sh", "f"],
  c: ["C", "dfgstu"],
  clojure: ["Clojure", "fn"],
  cpp: ["C++", "dfgstucn"],
  csharp: ["C#", "cgims"],
  elixir: ["Elixir", "pmfacdgy"],
  elm: ["Elm", "fta"],
  erlang: ["Erlang", "dfmrt"],
  go: ["Go", "fsitn"],
  haskell: ["Haskell", "tfc"],
  java: ["Java", "acgim"],
  julia: ["Julia", "cfmnst"],
  kotlin: ["Kotlin", "icomT"],
  lua: ["Lua", "f"],
  makefile: ["Make", "mt"],
  "objective-c": ["ObjectiveC", "iIPmcfs"],
  ocaml: ["OCaml", "cmMtfe"],
  perl: ["Perl", "sp"],
  php: ["PHP", "cdfit"],
  powershell: ["PowerShell", "f"],
  protobuf: ["Protobuf", "mgsr"],
  python: ["Python", "cfm"],
  r: ["R", "f"],
  ruby: ["Ruby", "cfmS"],
  rust: ["Rust", "sifgtMP"],
  sql: ["SQL", "fptTVi"],
};
const Tag = z.object({
  name: z.string(),
  path: z.string(),
  line: z.number(),
  kind: z.string(),
  scopeKind: z.string().optional(),
});
type Tag = z.infer<typeof Tag>;

/** Trees that the machine of a check has anyway. */
const DEFAULT_TREES = ["/usr/lib/python3", "/usr/share/perl5", "/usr/include/openssl", "/usr/include/event2"];

const given = process.argv.slice(2);
const trees = (given.length > 0 ? given : DEFAULT_TREES).filter((tree) => existsSync(tree));
const files = trees.flatMap(sourcesBelow).sort();
let isGood = true;
if (files.length === 0) process.stdout.write("SKIPPED: none of the source trees is here\n");
for (const id of Object.keys(KINDS) as LanguageId[]) {
  const own = files.filter((file) => languageOf(file) === id);
  const row = KINDS[id];
  if (row && own.length > 0) isGood = (await compare(id, row, own)) && isGood;
}
process.exitCode = isGood ? 0 : 1;

async function compare(
  id: LanguageId,
  [name, kinds]: readonly [string, string],
  own: readonly string[],
): Promise<boolean> {
  const tags = tagsOf(own, name, kinds);
  const parse = await loadLanguage(id);
  const missing: string[] = [];
  let total = 0;
  let path = "";
  let parsed: ParsedFile | undefined;
  let lines: readonly string[] = [];
  for (const tag of tags.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))) {
    if (isInner(tag)) continue;
    if (tag.path !== path) {
      path = tag.path;
      const text = readFileSync(path, "utf8");
      parsed = text.length > MAX_BYTES ? undefined : parse(text);
      lines = text.split("\n");
    }
    if (parsed === undefined) continue;
    const known = isKnown(tag, parsed);
    if (!known && (isWithin(tag, parsed, lines) || isAside(tag, lines))) continue;
    total += 1;
    if (!known) missing.push(`${tag.path}:${tag.line} ${tag.kind} ${tag.name}`);
  }
  const recall = total === 0 ? 1 : 1 - missing.length / total;
  const isEnough = total < MIN_DEFINITIONS || recall >= WANTED;
  const step = Math.max(1, Math.floor(missing.length / SHOWN));
  const shown = process.env["ALL_DIFFERENCES"]
    ? missing
    : missing.filter((_, at) => at % step === 0).slice(0, SHOWN);
  process.stdout.write(
    `${id}: ${own.length} files, ${total} definitions, recall ${recall.toFixed(4)}${isEnough ? "" : " TOO LOW"}\n` +
      shown.map((line) => `  ${line}\n`).join(""),
  );
  return isEnough;
}

/** Inside of a function, or in the text of a doc comment: indented deeper than the symbol whose lines these are. */
function isWithin({ line }: Tag, { symbols }: ParsedFile, lines: readonly string[]): boolean {
  const written = (lines[line - 1] ?? "").trim();
  return symbols.some(
    ({ kind, startLine, endLine, docStartLine, doc }) =>
      (startLine < line &&
        line <= endLine &&
        /^(?:function|method|macro|var|const|field)$/.test(kind) &&
        indentOf(lines[line - 1]) > indentOf(lines[startLine - 1])) ||
      (docStartLine <= line && line <= endLine && written !== "" && doc.includes(written)),
  );
}

function indentOf(line = ""): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}

/** Code in strings and comments, marks against reading a header twice, which we leave out, and blocks of tests. */
function isAside({ kind, name, line, scopeKind, path }: Tag, lines: readonly string[]): boolean {
  if (/^(?:describe|context|field)$/.test(kind) || name === "NS_ENUM") return true;
  if (kind === "macro")
    return lines.some((text) => text.startsWith("#ifndef") && text.trim().endsWith(` ${name}`));
  switch (languageOf(path)) {
    case "cpp":
      // What ctags knows no scope of and is indented stands in the block of a macro, such as TEST_CASE.
      return scopeKind === undefined && indentOf(lines[line - 1]) > 0;
    case "ocaml":
      // ctags has a module for each file, a function for `let ()`, and types for constraints (`with type t = …`).
      return (
        (kind === "module" && line === 1) ||
        name === "()" ||
        /\b(?:with|and) type\b/.test(lines[line - 1] ?? "")
      );
    case "julia":
      // Functions of one line in a block, such as one of tests.
      return kind === "function" && indentOf(lines[line - 1]) > 0;
    case "lua": {
      const before = lines.slice(0, line - 1).join("\n");
      return before.lastIndexOf("[[") > before.lastIndexOf("]]");
    }
    default: {
      const quotes = lines.slice(0, line - 1).filter((text) => (text.split('"""').length - 1) % 2 === 1);
      return quotes.length % 2 === 1;
    }
  }
}

/** Names that ctags writes with their table or module are ours without. */
function isKnown({ name: written, line }: Tag, { symbols }: ParsedFile): boolean {
  const name = written.trim().replace(/^`|`$/g, "");
  const plain = name.replace(/^operator (?=\W)/, "operator");
  const short = plain.replace(/^.*(?:[.:](?=[^.:]))/, "");
  return symbols.some(
    (symbol) =>
      ([name, plain, short].includes(symbol.name) ||
        symbol.name.endsWith(`.${name}`) ||
        // A method of Objective-C has the first part of its selector as its name.
        (symbol.kind === "method" && /^\w+:$/.test(symbol.name) && name.startsWith(symbol.name))) &&
      symbol.docStartLine <= line &&
      line <= symbol.endLine,
  );
}

function isInner({ scopeKind, name }: Tag): boolean {
  return (
    /^(?:function|method|member|subroutine)$/.test(scopeKind ?? "") ||
    /^(?:__anon|anonFunc|anonymous|AnonymousFunction|<)|[=\]]$/.test(name)
  );
}

function tagsOf(paths: readonly string[], language: string, kinds: string): Tag[] {
  const options = [
    "--output-format=json",
    "--fields=+nZ",
    `--language-force=${language}`,
    `--kinds-${language}=${kinds}`,
  ];
  const { stdout } = spawnSync("ctags", [...options, "-L", "-", "-f", "-"], {
    input: paths.join("\n"),
    maxBuffer: 1 << 30,
    encoding: "utf8",
  });
  return stdout.split("\n").flatMap((line) => {
    const tag = line.startsWith("{") ? Tag.safeParse(parsedJson(line)) : undefined;
    return tag?.success ? [tag.data] : [];
  });
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function sourcesBelow(tree: string): string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !/\/(?:\.git|vendor|node_modules)\//.test(entry.parentPath.slice(tree.length)),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}
