import type { ParsedFile, ParsedSymbol } from "./parse.ts";
import type { Exports } from "./rules.ts";

/** Says of each symbol that a file exports by name that it is exported; what is left is declared elsewhere. */
export function markExported(
  symbols: readonly ParsedSymbol[],
  { names, isWhole = false }: Exports,
): Pick<ParsedFile, "symbols" | "exports"> {
  if (names.length === 0) return { symbols };
  const own = new Map<string, string[]>(
    symbols.flatMap(({ name, parent }) => (parent === undefined ? [[name, []]] : [])),
  );
  const exports = names.filter(
    ({ name, declared, from }) =>
      from !== undefined || declared === undefined || own.get(declared)?.push(name) === undefined,
  );
  return {
    symbols: symbols.map((symbol) => exportedBy(symbol, own, isWhole)),
    ...(exports.length > 0 && { exports }),
  };
}

function exportedBy(
  symbol: ParsedSymbol,
  own: ReadonlyMap<string, readonly string[]>,
  isWhole: boolean,
): ParsedSymbol {
  if (symbol.parent !== undefined) return symbol;
  const names = own.get(symbol.name) ?? [];
  if (names.length === 0) return isWhole ? { ...symbol, exported: false } : symbol;
  const all = new Set([...(symbol.exported ? [symbol.name] : []), ...names]);
  const isByOwnName = all.size === 1 && all.has(symbol.name);
  return { ...symbol, exported: true, ...(!isByOwnName && { exportedAs: [...all] }) };
}
