import type { ParsedFile, ParsedSymbol } from "../parse.ts";
import type { FileReferences, ReferenceRules } from "./references.ts";

const IDENTIFIER =
  /^(?:simple_|type_|field_|property_|variable_|constant_)?identifier$|^(?:constant|variable|word|name|command_name|simple_symbol|upper_case_identifier|lower_case_identifier|value_name|alias)$/;
const FUNCTION =
  /^(?:.*_)?(?:function|method|lambda|closure|constructor)(?:_(?:definition|declaration|item|literal|expression|body|value))?$/;

/** Patterns for any grammar, by the names that grammars give to their nodes. `parameters`: see `Language`. */
export function genericPatterns(types: readonly string[], parameters: readonly string[]): string[] {
  const distinct = [...new Set(types)];
  const names = distinct.filter((type) => IDENTIFIER.test(type));
  return [
    ...names.map((type) => `(${type}) @${type.startsWith("type_") ? "type" : "name"}`),
    ...distinct.filter((type) => FUNCTION.test(type)).map((type) => `(${type}) @function`),
    ...parameters.map((place) => `(${place} (${names[0] ?? "_"}) @local)`),
  ];
}

export const genericRules: ReferenceRules = {
  patterns: [],
  self: ["this", "self"],
  isHoisted: false,
  memberBefore: /(?:[^.]|^)(?:[?!]?\.|::|->)$/,
  importsOf: () => [],
  typeName: (text) => /^[*&]*([\p{L}_][\p{L}\p{N}_.:]*)(?:[<[]|$)/u.exec(text.trim())?.[1],
};

/** Takes out the names in their own declarations, and marks what the header of a file imports. */
export function withoutDefinitions(found: FileReferences, { symbols, header }: ParsedFile): FileReferences {
  const declared = new Map<string, ParsedSymbol[]>();
  for (const symbol of symbols) {
    const known = declared.get(symbol.name);
    if (known) known.push(symbol);
    else declared.set(symbol.name, [symbol]);
  }
  const seen = new Set<ParsedSymbol>();
  const isDefinition = (name: string, line: number) => {
    const symbol = declared
      .get(name)
      ?.find(
        (one) => !seen.has(one) && one.startLine <= line && line <= Math.min(one.endLine, one.startLine + 10),
      );
    if (symbol) seen.add(symbol);
    return symbol !== undefined;
  };
  const isHeader = (line: number) =>
    header.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  const references = found.references.flatMap((reference) => {
    if (isDefinition(reference.name, reference.line)) return [];
    return isHeader(reference.line) ? [{ ...reference, kind: "import" as const }] : [reference];
  });
  return { ...found, references };
}
