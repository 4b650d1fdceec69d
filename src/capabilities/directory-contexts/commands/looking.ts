import { z } from "zod";
import { defineTool, type Tool } from "../../../core/tool.ts";
import { dir, path } from "./fields.ts";
import { StateChange } from "./state-change.ts";
import type { DirectoryWork } from "./work.ts";

/** Commands that show one context, or go on telling. */
export const lookingCommands = (work: () => Promise<DirectoryWork>): Tool[] => [
  defineTool({
    room: "directory-contexts",
    name: "directories_show",
    description: "Print a directory's .context.yaml as it is.",
    effect: "reads",
    audience: "people",
    command: { words: "show", positional: ["dir"], examples: ["contextful directories show src"] },
    input: z.object({ dir, path }),
    output: z.object({ scope: z.string(), text: z.string() }),
    run: async (input) => (await work()).show(input.dir, input.path),
    show: ({ text }) => text.trimEnd(),
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_watch",
    description: "Tell when a context becomes stale, fresh or missing, until stopped. Writes nothing.",
    effect: "reads",
    audience: "people",
    command: {
      words: "watch",
      examples: ["contextful directories watch", "contextful directories watch --json"],
    },
    input: z.object({
      path,
      interval: z.int().min(50).default(500).describe("Milliseconds between two looks, at least"),
    }),
    output: z.object({ changes: z.int() }),
    events: { schema: StateChange, show: ({ scope, state }) => `${state}  ${scope}` },
    run: async (input, call) => (await work()).watch(input, call),
    show: ({ changes }) => `${changes} changes seen.`,
  }),
];
