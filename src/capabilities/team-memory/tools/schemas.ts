import { z } from "zod";
import type { Memory } from "../memory.ts";

/** The room's behaviour, loaded at the first call. */
export type LoadMemory = () => Promise<Memory>;

export const Scope = z.enum(["public", "private", "ephemeral"]);
export const ScopeInput = z
  .string()
  .default("")
  .describe("public, private or ephemeral; empty keeps the scope, and makes a new entry public");
export const AnchorsInput = z
  .array(z.string())
  .optional()
  .describe('Code this speaks of, as "path" or "path#Symbol": the entry turns suspect when it changes');
export const SimilarEntries = z
  .array(z.object({ type: z.string(), key: z.string(), similarity: z.number() }))
  .optional();
export const About = {
  scope: Scope,
  author: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string(),
  anchors: z.array(z.string()).readonly().optional(),
  suspect: z.literal(true).optional(),
  changed: z
    .array(z.object({ anchor: z.string(), change: z.enum(["changed", "missing"]) }))
    .readonly()
    .optional(),
};
export const Warnings = z.array(z.string()).readonly().optional();
export const TextEntry = z.object({ key: z.string(), content: z.string(), ...About });
export const AllowSecret = z.boolean().default(false).describe("Store it even where it looks like a secret");

export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};
