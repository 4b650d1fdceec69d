import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LanguageId, languageOf, loadLanguage } from "../../src/core/parse/parse.ts";

/**
 * For languages that universal-ctags does not know: compares our symbols with the lines that start a definition, over
 * source trees: `npm run check:heads -- DIRECTORY…`. Only lines at the outer levels count: deeper ones are local.
 */
const WANTED = 0.97;
const MIN_DEFINITIONS = 30;
const SHOWN = 12;

interface Heads {
  readonly heads: readonly RegExp[];
  /** Lines that are indented deeper are inside of functions. */
  readonly maxIndent: number;
}

const MODIFIERS = String.raw`(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|internal|fileprivate|open|static|class|final|mutating|override|indirect|nonisolated|convenience|required|lazy|weak)(?:\(set\))?\s+)*`;

const LANGUAGES: Readonly<Partial<Record<LanguageId, Heads>>> = {
  swift: {
    maxIndent: 2,
    heads: [
      new RegExp(String.raw`^\s*${MODIFIERS}func\s+(?<name>\w+)\s*[(<]`),
      new RegExp(String.raw`^\s*${MODIFIERS}(?:struct|enum|protocol|actor)\s+(?<name>\w+)`),
      /^\s*(?:public |final |open |internal |private )*class\s+(?!func|var)(?<name>\w+)/,
      new RegExp(String.raw`^\s*${MODIFIERS}typealias\s+(?<name>\w+)`),
    ],
  },
  dart: {
    maxIndent: 0,
    heads: [
      /^(?:abstract |base |final |sealed |interface |mixin )*class (?<name>[\w$]+)/,
      /^(?:mixin|enum|typedef) (?<name>[\w$]+)/,
      /^extension (?!type )(?<name>[\w$]+) on /,
      /^(?:Future<.*?>|Stream<.*?>|void|int|String|bool|double|[A-Z]\w*(?:<.*?>)?\??) (?:get )?(?<name>[\w$]+)\s*[(<]/,
    ],
  },
  hcl: {
    maxIndent: 0,
    heads: [
      /^(?:variable|output|module|provider)\s+"(?<name>[^"]+)"\s*\{/,
      /^(?:resource|data)\s+"[^"]+"\s+"(?<name>[^"]+)"\s*\{/,
    ],
  },
  nim: {
    maxIndent: 0,
    heads: [/^(?:proc|func|template|macro|iterator|method|converter) (?<name>\w+)\*?\s*[([{]/],
  },
  solidity: {
    maxIndent: 4,
    heads: [
      /^(?:abstract )?contract (?<name>\w+)/,
      /^(?:interface|library) (?<name>\w+)/,
      /^ {4}(?:function|modifier|event|error|struct|enum) (?<name>\w+)/,
    ],
  },
  graphql: {
    maxIndent: 0,
    heads: [/^(?:type|interface|input|enum|scalar|union|directive) @?(?<name>\w+)/],
  },
  scala: {
    maxIndent: 2,
    heads: [
      /^\s*(?:(?:private|protected|final|sealed|abstract|case|implicit|override|inline)(?:\[\w+\])? )*(?:class|trait|object|def) (?<name>\w+)/,
    ],
  },
  zig: {
    maxIndent: 0,
    heads: [
      /^(?:pub )?(?:inline )?fn (?<name>\w+)\(/,
      /^(?:pub )?const (?<name>\w+) = (?:extern |packed )?(?:struct|enum|union)\b/,
    ],
  },
};

const files = process.argv.slice(2).flatMap(filesBelow).sort();
let isGood = true;
if (files.length === 0) process.stdout.write("SKIPPED: no source tree was given\n");
for (const [id, heads] of Object.entries(LANGUAGES) as [LanguageId, Heads][]) {
  const own = files.filter((file) => languageOf(file) === id);
  if (own.length > 0) isGood = (await compare(id, heads, own)) && isGood;
}
process.exitCode = isGood ? 0 : 1;

async function compare(id: LanguageId, rule: Heads, own: readonly string[]): Promise<boolean> {
  const parse = await loadLanguage(id);
  const missing: string[] = [];
  let total = 0;
  for (const file of own) {
    const text = readFileSync(file, "utf8");
    const { symbols } = parse(text);
    for (const { name, line } of headsIn(text, rule)) {
      total += 1;
      const isKnown = symbols.some(
        (symbol) =>
          (symbol.name === name || symbol.name.endsWith(`.${name}`)) &&
          symbol.startLine <= line &&
          line <= symbol.endLine,
      );
      if (!isKnown) missing.push(`${file}:${line} ${name}`);
    }
  }
  const recall = total === 0 ? 1 : 1 - missing.length / total;
  const isEnough = total < MIN_DEFINITIONS || recall >= WANTED;
  process.stdout.write(
    `${id}: ${own.length} files, ${total} definitions, recall ${recall.toFixed(4)}${isEnough ? "" : " TOO LOW"}\n` +
      missing
        .slice(0, SHOWN)
        .map((line) => `  ${line}\n`)
        .join(""),
  );
  return isEnough;
}

function headsIn(
  text: string,
  { heads, maxIndent }: Heads,
): { readonly name: string; readonly line: number }[] {
  let isInText = false;
  return text.split("\n").flatMap((line, at) => {
    const wasInText = isInText;
    // Quoted text and block comments hold code that defines nothing.
    if (((line.split('"""').length - 1) % 2 === 1) !== /^\s*\/\*(?!.*\*\/)/.test(line)) isInText = !isInText;
    else if (isInText && /\*\//.test(line)) isInText = false;
    if (wasInText || indentOf(line) > maxIndent) return [];
    const name = heads.map((head) => head.exec(line)?.groups?.["name"]).find((found) => found !== undefined);
    return name === undefined ? [] : [{ name, line: at + 1 }];
  });
}

function filesBelow(tree: string): string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(?:\.git|vendor|node_modules)(?:\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}
