import { z } from "zod";
import { type Call, defineTool, type Tool } from "../../../core/tool.ts";
import type { TeamSync } from "./team-sync.ts";

const file = z.string();

/** What only people and git itself call. */
export const syncCommands = (sync: (call: Call) => Promise<TeamSync>): readonly Tool[] => [
  defineTool({
    room: "team-memory",
    name: "memory_merge_driver",
    description:
      "Merge one file of the store the way a pull does; git calls it with the three versions and the path.",
    effect: "writes",
    audience: "people",
    command: {
      words: "merge-driver",
      positional: ["base", "ours", "theirs", "path"],
      examples: ["contextful memory merge-driver %O %A %B %P"],
      exitCode: ({ merged }) => (merged ? 0 : 1),
    },
    input: z.object({
      base: file.describe("File with the common ancestor's version"),
      ours: file.describe("File with our version; the result is written here"),
      theirs: file.describe("File with their version"),
      path: file.describe("Path in the repository"),
    }),
    output: z.object({ merged: z.boolean() }),
    run: async (files) => ({ merged: await (await import("./merge-driver.ts")).driveMerge(files) }),
    show: ({ merged }) => (merged ? "" : "conflict"),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_watch",
    description:
      "Keep the team's memory in step: push a few seconds after each change, pull now and then, until stopped.",
    effect: "writes",
    audience: "people",
    command: {
      words: "watch",
      examples: ["contextful memory watch", "contextful memory watch --pull-every 60"],
    },
    input: z.object({ pull_every: z.int().min(5).default(120).describe("Seconds between two pulls") }),
    output: z.object({ pushes: z.int(), pulls: z.int() }),
    run: async ({ pull_every }, call) => {
      const opened = await sync(call);
      const { watchMemory } = await import("./watch.ts");
      return watchMemory(opened, { directory: opened.directory, pullEveryMs: pull_every * 1000 }, call);
    },
    show: ({ pushes, pulls }) => `${pushes} pushes, ${pulls} pulls`,
  }),
];
