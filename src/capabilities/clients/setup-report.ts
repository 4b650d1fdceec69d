import { z } from "zod";
import { CLIENT_IDS } from "./known-clients.ts";

export const SetupInput = z.object({
  clients: z
    .array(z.string())
    .default([])
    .describe(`Clients to set up: ${CLIENT_IDS.join(", ")}. Default: those found on this machine`),
  yes: z
    .boolean()
    .default(false)
    .describe("Write; without it setup only shows what it would write (--undo needs no --yes)"),
  plan: z.boolean().default(false).describe("Only show what would be written"),
  undo: z
    .boolean()
    .default(false)
    .describe(
      "Put back at once what was there before setup, for the clients named or for all; with --plan only show it",
    ),
  print: z.boolean().default(false).describe("Print the bare entry to copy by hand"),
  scope: z
    .enum(["project", "user"])
    .optional()
    .describe("Files of this project, or the user's own. Default: the project's where a client has one"),
  tools: z
    .string()
    .default("all")
    .describe("Tools the client is shown: all, lean, or rooms separated by commas"),
  launch: z
    .enum(["auto", "npx", "here"])
    .default("auto")
    .describe("How the client starts us: through npx, or with the file that runs now"),
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

/** For a person: every file with its exact change, then what was or would be done. */
export function showSetup({ files, written, snippet }: SetupReport): string {
  if (snippet !== undefined) return snippet;
  const words = written ? DONE : TO_DO;
  const lines = files.map(({ client, file, action, note }) => {
    const head = `${words[action].padEnd(9)} ${client.padEnd(11)} ${file}`;
    return note === "" ? head : `${head}\n          ${note}`;
  });
  const diffs = files.flatMap(({ diff }) => (diff === "" ? [] : [diff.trimEnd(), ""]));
  const isOpen = !written && files.some(({ action }) => action === "create" || action === "change");
  const next = isOpen
    ? ["", "Nothing is written yet. Write it: add --yes. Take it back later: contextful setup --undo"]
    : [];
  const summary = files.length === 0 ? ["Nothing to undo."] : lines;
  return [...diffs, ...summary, ...next].join("\n");
}
