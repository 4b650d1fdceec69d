import type { ParsedSymbol } from "../../../core/parse/parse.ts";
import type { Extraction } from "./format.ts";
import { readText } from "./text.ts";

/** What a source or declaration file offers, as Markdown: a heading for each name, so that a search finds names. */
export async function readApi(bytes: Uint8Array, mediaType = "", path = ""): Promise<Extraction> {
  const read = readText(bytes, mediaType);
  return "unreadable" in read ? read : { body: await apiText(path, read.body) };
}

async function apiText(path: string, text: string): Promise<string> {
  const { parseSource } = await import("../../../core/parse/parse.ts");
  const parsed = await parseSource(path, text);
  const offered = parsed?.symbols.filter((symbol) => isOffered(symbol)) ?? [];
  if (parsed === undefined || offered.length === 0) return text;
  const isDeclaration = /\.d\.[cm]?ts$/.test(path);
  const lines = text.split("\n");
  const parts = offered
    // A declaration is short and says all about its members.
    .filter(({ parent }) => !isDeclaration || parent === undefined)
    .map((symbol) => section(symbol, isDeclaration ? lines.slice(symbol.startLine - 1, symbol.endLine) : []));
  return [parsed.doc, ...parts]
    .map((part) => part.replace(FOLD_MARKS, "").trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Comments of bundlers that say where a part came from: `#region src/index.d.ts`. */
const FOLD_MARKS = /^#(?:end)?region\b.*\n*/gm;

const isOffered = ({ exported, name }: ParsedSymbol) => exported && !name.startsWith("_");

const MOST_LINES = 120;

function section({ name, parent, signature, doc }: ParsedSymbol, lines: readonly string[]): string {
  const declaration = lines.length === 0 ? signature : lines.slice(0, MOST_LINES).join("\n");
  return [`## ${parent === undefined ? name : `${parent}.${name}`}`, doc, `\`\`\`\n${declaration}\n\`\`\``]
    .filter((part) => part !== "")
    .join("\n\n");
}
