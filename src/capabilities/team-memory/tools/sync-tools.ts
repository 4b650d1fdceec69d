import { z } from "zod";
import { type Call, defineTool, type Tool } from "../../../core/tool.ts";
import type { TeamSync } from "../git-sync/team-sync.ts";
import { lines, Renumbered, Warnings } from "./sync-outputs.ts";

const PushOutput = z.object({
  status: z.enum(["pushed", "committed", "nothing_to_push"]),
  commit: z.string().optional(),
  push_error: z.string().optional(),
  ahead: z.int().optional(),
  behind: z.int().optional(),
  auto_resolved: z.array(z.string()).optional(),
  renumbered: Renumbered.optional(),
  warnings: Warnings.optional(),
});

const PullOutput = z.object({
  status: z.enum(["pulled", "merged", "up_to_date", "no_remote", "conflicts"]),
  commit: z.string().optional(),
  strategy: z.string().optional(),
  conflict_id: z.string().optional(),
  files: z.array(z.string()).optional(),
  resolved: z.array(z.string()).optional(),
  auto_resolved: z.array(z.string()).optional(),
  renumbered: Renumbered.optional(),
  warnings: Warnings.optional(),
});

/** Git sync as the contract names it. */
export const syncTools = (sync: (call: Call) => Promise<TeamSync>): readonly Tool[] => [
  defineTool({
    room: "team-memory",
    name: "context_sync_push",
    description:
      "Commit the team's memory and push it to the git remote; without a remote it is only committed. Call it when you have recorded something the team should have.",
    effect: "writes",
    command: {
      words: "push",
      examples: ["contextful memory push", 'contextful memory push --message "Record the queue decision"'],
      exitCode: ({ push_error }) => (push_error === undefined ? 0 : 1),
    },
    input: z.object({ message: z.string().default("").describe("Commit message; empty: says what changed") }),
    output: PushOutput,
    run: async ({ message }, call) => (await sync(call)).push(message),
    show: ({ status, commit, push_error, renumbered = [], warnings = [] }) =>
      lines(
        `${status}${commit ? ` ${commit}` : ""}`,
        push_error,
        ...renumbered.map(({ from, to }) => `${from} is now ${to}`),
        ...warnings,
      ),
  }),
  defineTool({
    room: "team-memory",
    name: "context_sync_pull",
    description:
      "Bring in what teammates pushed and merge it section by section. With strategy agent, real conflicts are kept for you to settle one by one.",
    effect: "writes",
    command: {
      words: "pull",
      examples: ["contextful memory pull", "contextful memory pull --strategy agent"],
    },
    input: z.object({
      strategy: z.string().default("ours").describe("Who wins a conflict: ours, theirs, or agent"),
    }),
    output: PullOutput,
    run: async ({ strategy }, call) => (await sync(call)).pull(strategy),
    show: ({ status, commit, files = [], renumbered = [], warnings = [] }) =>
      lines(
        `${status}${commit ? ` ${commit}` : ""}`,
        ...files,
        ...renumbered.map(({ from, to }) => `${from} is now ${to}`),
        ...warnings,
      ),
  }),
];
