import { z } from "zod";
import type { Call } from "../../../core/tool.ts";
import type { TeamSync } from "../git-sync/team-sync.ts";
import { SCOPES } from "../store/layout.ts";
import type { MemoryOperations } from "../team-memory.ts";

/** The room's behaviour, loaded at the first call. */
export type LoadMemory = () => Promise<MemoryOperations>;
export type LoadSync = (call: Pick<Call, "actor" | "signal">) => Promise<TeamSync>;

export const EntryScope = z.enum(SCOPES);
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
export const EntryAbout = {
  scope: EntryScope,
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
export const TextEntry = z.object({ key: z.string(), content: z.string(), ...EntryAbout });
export const NewDecision = z.object({
  title: z.string().describe("What was decided, in a few words"),
  context: z.string().default("").describe("Why it was needed"),
  decision: z.string().default("").describe("What was decided"),
  consequences: z.string().default("").describe("What follows"),
  scope: ScopeInput,
  anchors: AnchorsInput,
});
export const RecordedDecision = z.object({
  status: z.literal("ok"),
  id: z.int(),
  title: z.string(),
  scope: EntryScope,
  similar: SimilarEntries.readonly(),
});
export const AllowSecret = z.boolean().default(false).describe("Store it even where it looks like a secret");

/** Exit code 3 means "not found". */
export const notFoundExit = (output: { readonly status: string }): number =>
  output.status === "not_found" ? 3 : 0;

export const lines = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join("\n");

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};
