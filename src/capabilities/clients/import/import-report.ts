import { z } from "zod";
import { CLIENT_IDS } from "../client.ts";

export const ImportInput = z.object({
  client: z.enum(CLIENT_IDS).describe(`The client whose files are read: ${CLIENT_IDS.join(", ")}`),
  plan: z.boolean().default(false).describe("Only show what would be added"),
  replace: z.boolean().default(false).describe("Replace entries with the same name and another text"),
});
export type ImportInput = z.infer<typeof ImportInput>;

const ImportRow = z.object({
  kind: z.enum(["convention", "skill"]),
  key: z.string(),
  from: z.string(),
  action: z.enum(["add", "replace", "known", "differs", "refused"]),
  note: z.string(),
});
export type ImportRow = z.infer<typeof ImportRow>;
export const ImportReport = z.object({ entries: z.array(ImportRow), written: z.boolean() });
export type ImportReport = z.infer<typeof ImportReport>;

export function showImport({ entries, written }: ImportReport): string {
  if (entries.length === 0) return "Nothing to import.";
  const lines = entries.map(
    ({ action, kind, key, from, note }) =>
      `${action.padEnd(8)} ${kind.padEnd(10)} ${key}  from ${from}${note === "" ? "" : `  (${note})`}`,
  );
  return written ? lines.join("\n") : [...lines, "", "Nothing is added yet; this is the plan."].join("\n");
}
