import { z } from "zod";
import { defineTool, type Tool } from "../../../core/tool.ts";
import { PushPlan, SyncEvent } from "../git-sync/results.ts";
import { counted, type LoadSync } from "./schemas.ts";

const file = z.string();

/** Commands that only people and git itself call. */
export const peopleSyncTools = (sync: LoadSync): readonly Tool[] => [
  defineTool({
    room: "team-memory",
    name: "memory_merge_driver",
    description: "Merge one file of the store as a pull does. Git calls it with three versions and the path.",
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
    run: async (files) => ({
      merged: await (await import("../git-sync/merge-driver.ts")).runMergeDriver(files),
    }),
    show: ({ merged }) => (merged ? "" : "conflict"),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_push_plan",
    description: "Show what a push of the team's memory would publish. Nothing is written.",
    effect: "reads",
    audience: "people",
    command: { words: "push plan", examples: ["contextful memory push plan"] },
    input: z.object({}),
    output: PushPlan,
    run: async (_, call) => (await sync(call)).plan(),
    show: ({ target, files }) =>
      files.length === 0
        ? "Nothing to push."
        : [
            `To ${target ?? "a local commit (no remote)"}:`,
            ...files.map(({ change, path }) => `${change}  ${path}`),
          ].join("\n"),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_watch",
    description: "Keep the team's memory in sync until stopped: push after each change, pull at intervals.",
    effect: "writes",
    audience: "people",
    command: {
      words: "watch",
      examples: ["contextful memory watch --pull-every 60", "contextful memory watch --json"],
    },
    input: z.object({ pull_every: z.int().min(5).default(120).describe("Seconds between two pulls") }),
    output: z.object({ pushes: z.int(), pulls: z.int() }),
    events: { schema: SyncEvent, show: ({ did, status }) => `${did}: ${status}` },
    run: async ({ pull_every }, call) => {
      const opened = await sync(call);
      const { watchMemory } = await import("../git-sync/watch.ts");
      return watchMemory(opened, { directory: opened.directory, pullEveryMs: pull_every * 1000 }, call);
    },
    show: ({ pushes, pulls }) => `${counted(pushes, "push", "pushes")}, ${counted(pulls, "pull")}`,
  }),
];
