import { z } from "zod";
import type { Call } from "../../../core/tool.ts";
import type { AddedText } from "../entries/schemas.ts";
import type { TeamSync } from "../git-sync/team-sync.ts";
import type { MemoryOperations } from "../team-memory.ts";

/** The room's behaviour, loaded at the first call. */
export type LoadMemory = () => Promise<MemoryOperations>;
export type LoadSync = (call: Pick<Call, "actor" | "signal">) => Promise<TeamSync>;

export const AllowSecret = z.boolean().default(false).describe("Store it even if it looks like a secret");

/** Exit code 3 means "not found". */
export const notFoundExit = (output: { readonly status: string }): number =>
  output.status === "not_found" ? 3 : 0;

/** For a removal that found nothing. */
export const meant = (name: string | undefined): string =>
  name === undefined ? "" : `. Did you mean '${name}'?`;

/** What a write answers about other entries. */
export const showRelated = ({
  similar = [],
  contradicts = [],
}: Pick<AddedText, "similar" | "contradicts">) => [
  ...similar.map(({ type, key, similarity }) => `similar: ${type} ${key} (${similarity})`),
  ...contradicts.map(({ id, title, about }) => `may contradict decision ${id}, ${title}: ${about}`),
];

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
