import { z } from "zod";
import { REFERENCE_KINDS } from "../../../core/parse/references/references.ts";

/**
 * `resolved`: the files tell. `probable`: nothing else that the file could mean has this name, and the name is not a common
 * one. `name only`: the same name.
 */
export const CONFIDENCES = ["resolved", "probable", "name only"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** How many files changed since they were indexed; 0: the answer is up to date. */
const files_changed = z.int();
const FoundSymbol = z.object({
  name: z.string(),
  kind: z.string(),
  parent: z.string().optional(),
  path: z.string(),
  line: z.int(),
  end_line: z.int(),
  signature: z.string(),
  doc: z.string(),
  exported: z.boolean(),
});
export type FoundSymbol = z.infer<typeof FoundSymbol>;

export const SymbolOutput = z.object({
  symbol: z.string(),
  definitions: z.array(FoundSymbol),
  total: z.int(),
  /** Of the only definition. */
  source: z.string().optional(),
  files_changed,
});
export type SymbolOutput = z.infer<typeof SymbolOutput>;

const ReferenceLine = z.object({
  line: z.int(),
  column: z.int(),
  kind: z.enum(REFERENCE_KINDS),
  confidence: z.enum(CONFIDENCES),
  text: z.string(),
});
export const ReferencesOutput = z.object({
  symbol: z.string(),
  definitions: z.array(FoundSymbol),
  files: z.array(z.object({ path: z.string(), is_test: z.boolean(), references: z.array(ReferenceLine) })),
  total: z.int(),
  by_confidence: z.record(z.string(), z.int()),
  by_kind: z.record(z.string(), z.int()),
  files_changed,
});
export type ReferencesOutput = z.infer<typeof ReferencesOutput>;

export const DIRECTIONS = ["callers", "callees"] as const;
const CallNode = z.object({
  name: z.string(),
  path: z.string(),
  line: z.int(),
  /** Where the call is. */
  at: z.int().optional(),
  confidence: z.enum(CONFIDENCES).optional(),
  text: z.string(),
  /** The node stands elsewhere in the tree with its calls. */
  is_repeated: z.boolean().optional(),
  more: z.int().optional(),
  get calls() {
    return z.array(CallNode);
  },
});
export type CallNode = z.infer<typeof CallNode>;
export const CallsOutput = z.object({
  symbol: z.string(),
  direction: z.enum(DIRECTIONS),
  roots: z.array(CallNode),
  files_changed,
});
export type CallsOutput = z.infer<typeof CallsOutput>;

const OutlinedFile = z.object({
  path: z.string(),
  symbols: z.array(FoundSymbol),
  /** Symbols that are not shown. */
  more: z.int(),
});
export const OutlineOutput = z.object({
  path: z.string(),
  files: z.array(OutlinedFile),
  more_files: z.int(),
  files_changed,
});
export type OutlineOutput = z.infer<typeof OutlineOutput>;

export const UnusedOutput = z.object({
  definitions: z.array(FoundSymbol.extend({ confidence: z.enum(["sure", "probable", "exported"]) })),
  total: z.int(),
  files_changed,
});
export type UnusedOutput = z.infer<typeof UnusedOutput>;

export const ImpactOutput = z.object({
  range: z.string(),
  changed: z.array(FoundSymbol),
  callers: z.array(FoundSymbol.extend({ calls: z.string(), confidence: z.enum(CONFIDENCES) })),
  tests: z.array(z.string()),
  files_changed,
});
export type ImpactOutput = z.infer<typeof ImpactOutput>;
