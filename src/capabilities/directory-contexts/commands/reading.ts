import { z } from "zod";
import { defineTool, type Tool } from "../../../core/tool.ts";
import { ContextStateChange, StatusReport } from "../reports.ts";
import type { DirectoryActions } from "./actions.ts";
import { dir, path } from "./fields.ts";

/** The exit code of checks whose answer is "no": a context is missing, invalid or out of date. */
const OUT_OF_DATE = 4;

/** Commands that show contexts and their state. */
export const readingCommands = (actions: () => Promise<DirectoryActions>): Tool[] => [
  defineTool({
    room: "directory-contexts",
    name: "directories_status",
    description:
      "Show which directories have a context and whether it is fresh. Exits with 0 if all are, with 4 if one is missing, invalid or out of date; a stale context whose content is unchanged is not out of date.",
    effect: "reads",
    audience: "people",
    command: {
      words: "status",
      examples: [
        "contextful directories status",
        "contextful directories status --stale",
        "contextful directories status --strict --json",
      ],
      exitCode: ({ ok }) => (ok ? 0 : OUT_OF_DATE),
    },
    input: z.object({
      path,
      stale: z.boolean().default(false).describe("List only directories that are out of date or missing"),
      strict: z
        .boolean()
        .default(false)
        .describe("Also check the schema and compare contexts with the files; warnings count"),
    }),
    output: StatusReport,
    run: async (input, call) => (await actions()).status(input, call),
    show: showStatus,
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_show",
    description: "Print a directory's .context.yaml as it is.",
    effect: "reads",
    audience: "people",
    command: { words: "show", positional: ["dir"], examples: ["contextful directories show src"] },
    input: z.object({ dir, path }),
    output: z.object({ scope: z.string(), text: z.string() }),
    run: async (input) => (await actions()).show(input.dir, input.path),
    show: ({ text }) => text.trimEnd(),
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_watch",
    description: "Report when a context becomes stale, fresh or missing, until stopped. Writes nothing.",
    effect: "reads",
    audience: "people",
    command: {
      words: "watch",
      examples: ["contextful directories watch", "contextful directories watch --json"],
    },
    input: z.object({
      path,
      interval: z.int().min(50).default(500).describe("Shortest time between two scans, in milliseconds"),
    }),
    output: z.object({ changes: z.int() }),
    events: { schema: ContextStateChange, show: ({ scope, state }) => `${state}  ${scope}` },
    run: async (input, call) => (await actions()).watch(input, call),
    show: ({ changes }) => `${changes} ${changes === 1 ? "change" : "changes"} seen.`,
  }),
];

function showStatus({ directories, summary, findings = [], ok }: StatusReport): string {
  const { total, fresh, stale, missing, skipped } = summary;
  return [
    ...directories.map(({ scope, state, summary: text, content_changed, problem }) => {
      const note = content_changed === false ? "(content unchanged) " : "";
      return [`${state.padEnd(7)} ${note}${scope}`, text, problem].filter(Boolean).join("  ");
    }),
    ...findings.map(({ scope, level, rule, message }) => `${level.padEnd(7)} ${scope}  ${rule}: ${message}`),
    `${total} ${total === 1 ? "directory" : "directories"}: ${fresh} fresh, ${stale} stale, ${missing} missing; ${skipped} too small for a context.`,
    ...(ok
      ? []
      : [
          missing === total
            ? "Run: contextful directories init"
            : "Run: contextful directories regen --stale",
        ]),
  ].join("\n");
}
