import { z } from "zod";
import type { OutlinedSymbol } from "../prepare/chunk.ts";
import { DDD_PATTERNS } from "../prepare/ddd.ts";

const PackedSymbol = z.object({
  name: z.string(),
  kind: z.string(),
  signature: z.string(),
  /** Omitted: the doc of the first symbol in the chunk, as in a block of constants under one comment. */
  doc: z.string().optional(),
  startLine: z.number(),
  endLine: z.number(),
  exported: z.boolean(),
  ddd: z.array(z.enum(DDD_PATTERNS)).optional(),
  parent: z.string().optional(),
});
const PackedSymbols = z.array(PackedSymbol);

/** The symbols of one chunk as they are stored. */
export function packSymbols(symbols: readonly OutlinedSymbol[]): string {
  return JSON.stringify(
    symbols.map(({ ddd, doc, ...symbol }, place) => ({
      ...symbol,
      ...(ddd.length > 0 && { ddd }),
      ...((place === 0 || doc !== symbols[0]?.doc) && { doc }),
    })),
  );
}

export function unpackSymbols(packed: string): OutlinedSymbol[] {
  const symbols = PackedSymbols.parse(JSON.parse(packed));
  const shared = symbols[0]?.doc ?? "";
  return symbols.map(({ doc = shared, ddd = [], parent, ...symbol }) => ({
    ...symbol,
    doc,
    ddd,
    ...(parent !== undefined && { parent }),
  }));
}
