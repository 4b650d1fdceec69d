import type { ParsedFile, ParsedSymbol } from "./parse.ts";
import type { ExportedName } from "./rules.ts";

/** Says of each symbol that a file exports by name that it is exported; what is left is declared elsewhere. */
export function markExported(
  symbols: readonly ParsedSymbol[],
  names: readonly ExportedName[],
): Pick<ParsedFile, "symbols" | "exports"> {
  if (names.length === 0) return { symbols };
  const own = new Map<string, string[]>(
    symbols.flatMap(({ name, parent }) => (parent === undefined ? [[name, []]] : [])),
  );
  const exports = names.filter((exported) => {
    const isOwn = exported.from === undefined && exported.signature === undefined;
    return (isOwn ? own.get(exported.declared)?.push(exported.name) : undefined) === undefined;
  });
  return {
    symbols: symbols.map((symbol) => exportedBy(symbol, own)),
    ...(exports.length > 0 && { exports }),
  };
}

function exportedBy(symbol: ParsedSymbol, own: ReadonlyMap<string, readonly string[]>): ParsedSymbol {
  const names = symbol.parent === undefined ? (own.get(symbol.name) ?? []) : [];
  if (names.length === 0) return symbol;
  const all = new Set([...(symbol.exported ? [symbol.name] : []), ...names]);
  const isByOwnName = all.size === 1 && all.has(symbol.name);
  return { ...symbol, exported: true, ...(!isByOwnName && { exportedAs: [...all] }) };
}
