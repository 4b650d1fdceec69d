import type { ParsedSymbol } from "../../../../core/parse/parse.ts";
import type { SourceFile } from "../sources/sources.ts";
import { hasWords } from "./comments.ts";
import { compactSignature } from "./compact-signature.ts";
import { isEntryFile, publicSymbols, reExportsOf } from "./public-symbols.ts";

const MAX_EXPORTS = 25;

/** Signatures of a directory's exports, one for each name. If there are too many, the most important of each file. */
export function describeExports(sources: readonly SourceFile[]): string[] {
  const distinct = new Map<string, RankedExport>();
  for (const [file, source] of sources.entries()) {
    const rank = isEntryFile(source) ? 0 : 1;
    for (const [index, { name, line, ...rest }] of exportsOf(source, sources).entries()) {
      const candidate = { ...rest, rank, order: [file, line, index] } as const;
      const key = name ?? rest.signature;
      const known = distinct.get(key);
      distinct.set(key, known ? betterOf(known, candidate) : candidate);
    }
  }
  const best = [...distinct.values()].sort(
    (a, b) =>
      a.rank - b.rank ||
      tierOf(a.weight) - tierOf(b.weight) ||
      a.place - b.place ||
      a.weight - b.weight ||
      a.order[0] - b.order[0],
  );
  const shown = best
    .slice(0, MAX_EXPORTS)
    .sort(({ order: a }, { order: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(({ signature }) => signature);
  return best.length > MAX_EXPORTS ? [...shown, `… and ${best.length - MAX_EXPORTS} more`] : shown;
}

interface RankedExport {
  readonly signature: string;
  /** Exports of the directory's entry file come first. */
  readonly rank: number;
  readonly weight: number;
  /** Position among the exports of its file or module, so that no file takes all the space. */
  readonly place: number;
  readonly order: readonly [file: number, line: number, index: number];
}

/** Overloads and re-exports have the same name: the first of the best signatures is kept. */
const betterOf = (known: RankedExport, candidate: RankedExport): RankedExport => ({
  ...(candidate.weight < known.weight ? candidate : known),
  rank: Math.min(known.rank, candidate.rank),
  order: known.order,
});

/** What a file exports or re-exports, the most important first. */
function exportsOf(source: SourceFile, sources: readonly SourceFile[]) {
  const places = new Map<string | undefined, number>();
  const declared = publicSymbols(source).map((symbol) => ({
    symbol,
    name: symbol.name,
    from: undefined,
    line: symbol.startLine,
    signature: compactSignature(symbol),
  }));
  return [...declared, ...reExportsOf(source, sources)]
    .map(({ symbol, ...candidate }) => ({
      ...candidate,
      weight: weightOf(symbol ?? guessKind(candidate.signature)),
    }))
    .sort((a, b) => a.weight - b.weight)
    .map((candidate) => {
      const place = places.get(candidate.from) ?? 0;
      places.set(candidate.from, place + 1);
      return { ...candidate, place };
    });
}

/** A bare name is usually a value. */
const guessKind = (signature: string) => ({ kind: /\W/.test(signature) ? "function" : "const", doc: "" });

/** Documented before the rest; types before functions, and constants last. */
const weightOf = ({ kind, doc }: Pick<ParsedSymbol, "kind" | "doc">) =>
  (kind === "const" || kind === "var" ? 4 : kind === "function" ? 1 : 0) + (hasWords(doc) ? 0 : 2);

/** Types come before functions only within a file, so that types from other files do not crowd out a file's functions. */
const tierOf = (weight: number) => weight >> 1;
