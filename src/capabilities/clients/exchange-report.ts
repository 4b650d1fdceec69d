import { z } from "zod";
import { CLIENT_IDS } from "./client.ts";

const Client = z.enum(CLIENT_IDS);

export const ExportInput = z.object({
  client: Client.optional().describe(`The client to write for: ${CLIENT_IDS.join(", ")}`),
  check: z
    .boolean()
    .default(false)
    .describe(
      "Write nothing; exit with 4 where files differ from the memory. Without a client: every one exported before",
    ),
  plan: z.boolean().default(false).describe("Only show what would be written"),
});
export type ExportInput = z.infer<typeof ExportInput>;

export const ImportInput = z.object({
  client: Client.describe(`The client whose files are read: ${CLIENT_IDS.join(", ")}`),
  plan: z.boolean().default(false).describe("Only show what would be added"),
  replace: z.boolean().default(false).describe("Replace entries of the same name whose text differs"),
});
export type ImportInput = z.infer<typeof ImportInput>;

const ExportRow = z.object({
  file: z.string(),
  action: z.enum(["create", "change", "remove", "unchanged", "skipped", "refused"]),
  note: z.string(),
  diff: z.string(),
});
export const ExportReport = z.object({ files: z.array(ExportRow), written: z.boolean() });
export type ExportReport = z.infer<typeof ExportReport>;

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

export const isDrift = ({ files }: ExportReport): boolean =>
  files.some(({ action }) => action === "create" || action === "change" || action === "remove");

export const isRefused = ({ files }: ExportReport): boolean =>
  files.some(({ action }) => action === "refused");

export function showExport(report: ExportReport): string {
  const { files, written } = report;
  if (files.length === 0) return "Nothing was exported here before.";
  const diffs = written ? [] : files.flatMap(({ diff }) => (diff === "" ? [] : [diff.trimEnd(), ""]));
  const lines = files.map(
    ({ file, action, note }) => `${action.padEnd(9)} ${file}${note === "" ? "" : `  (${note})`}`,
  );
  return [...diffs, ...lines].join("\n");
}

export function showImport({ entries, written }: ImportReport): string {
  if (entries.length === 0) return "Nothing to import.";
  const lines = entries.map(
    ({ action, kind, key, from, note }) =>
      `${action.padEnd(8)} ${kind.padEnd(10)} ${key}  from ${from}${note === "" ? "" : `  (${note})`}`,
  );
  return written ? lines.join("\n") : [...lines, "", "Nothing is added yet: this is the plan."].join("\n");
}
