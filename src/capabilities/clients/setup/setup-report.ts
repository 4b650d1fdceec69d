import { z } from "zod";
import { CLIENT_IDS } from "../client.ts";

export const SetupInput = z.object({
  clients: z
    .array(z.string())
    .default([])
    .describe(`Clients to set up: ${CLIENT_IDS.join(", ")}. Default: those found on this machine`),
  yes: z
    .boolean()
    .default(false)
    .describe(
      "Write without asking; otherwise setup shows what it would write and asks at a terminal (--undo needs no --yes)",
    ),
  plan: z.boolean().default(false).describe("Only show what would be written"),
  undo: z
    .boolean()
    .default(false)
    .describe(
      "Restore what was there before setup, for the named clients or for all; with --plan only show it",
    ),
  print: z.boolean().default(false).describe("Print only the entry, to copy by hand"),
  scope: z
    .enum(["project", "user"])
    .optional()
    .describe("Files of this project, or of the user. Default: project, if the client has such a file"),
  tools: z
    .string()
    .default("auto")
    .describe(
      "Tools the client is shown: auto (lean for coding agents), all, lean, or rooms separated by commas",
    ),
  launch: z
    .enum(["auto", "command", "npx", "here"])
    .default("auto")
    .describe("How the client starts contextful: by its command, with npx, or with the running file"),
});
export type SetupInput = z.infer<typeof SetupInput>;

const SetupRow = z.object({
  client: z.enum(CLIENT_IDS),
  scope: z.enum(["project", "user"]),
  file: z.string(),
  action: z.enum(["create", "change", "remove", "unchanged", "refused"]),
  note: z.string(),
  diff: z.string(),
});
export type SetupRow = z.infer<typeof SetupRow>;

export const SetupReport = z.object({
  files: z.array(SetupRow),
  written: z.boolean(),
  answer: z.enum(["yes", "no"]).optional().describe("The answer of the person, if one was asked"),
  snippet: z.string().optional(),
});
export type SetupReport = z.infer<typeof SetupReport>;

const DONE = {
  create: "created",
  change: "changed",
  remove: "removed",
  unchanged: "unchanged",
  refused: "REFUSED",
} as const satisfies Record<SetupRow["action"], string>;
const TO_DO = { ...DONE, create: "create", change: "change", remove: "remove" } as const;

export const isToWrite = ({ action }: SetupRow): boolean => action === "create" || action === "change";

/** For a person: the exact change of every file, then what was or would be done. */
export function showSetup({ files, written, answer, snippet }: SetupReport): string {
  if (snippet !== undefined) return snippet;
  if (files.length === 0) return "Nothing to undo.";
  if (answer === "no") return "Nothing was written.";
  // The person has already seen the changes.
  if (answer === "yes") return linesOf(files, DONE).join("\n");
  if (written) return [...diffsOf(files), ...linesOf(files, DONE)].join("\n");
  const next = "Nothing is written yet. Write it: add --yes. Take it back later: contextful setup --undo";
  return files.some(isToWrite) ? `${showPlan(files)}\n\n${next}` : showPlan(files);
}

export const showPlan = (files: readonly SetupRow[]): string =>
  [...diffsOf(files), ...linesOf(files, TO_DO)].join("\n");

const diffsOf = (files: readonly SetupRow[]): string[] =>
  files.flatMap(({ diff }) => (diff === "" ? [] : [diff.trimEnd(), ""]));

const linesOf = (files: readonly SetupRow[], words: Readonly<Record<SetupRow["action"], string>>): string[] =>
  files.map(({ client, file, action, note }) => {
    const head = `${words[action].padEnd(9)} ${client.padEnd(11)} ${file}`;
    return note === "" ? head : `${head}\n          ${note}`;
  });
