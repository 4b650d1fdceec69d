import { z } from "zod";
import { CLIENT_IDS } from "../client.ts";

export const ExportInput = z.object({
  client: z
    .enum(CLIENT_IDS)
    .optional()
    .describe(`The client to write for: ${CLIENT_IDS.join(", ")}`),
  check: z
    .boolean()
    .default(false)
    .describe(
      "Write nothing; exit with 4 if files differ from the memory. Without a client: all clients exported before",
    ),
  plan: z.boolean().default(false).describe("Only show what would be written"),
});
export type ExportInput = z.infer<typeof ExportInput>;

const ExportRow = z.object({
  file: z.string(),
  action: z.enum(["create", "change", "remove", "unchanged", "skipped", "refused"]),
  note: z.string(),
  diff: z.string(),
});
export const ExportReport = z.object({ files: z.array(ExportRow), written: z.boolean() });
export type ExportReport = z.infer<typeof ExportReport>;

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
