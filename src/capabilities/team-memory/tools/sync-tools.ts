import { z } from "zod";
import { defineTool, type Tool } from "../../../core/tool.ts";
import { PullResult, PushResult } from "../git-sync/results.ts";
import { type LoadSync, lines } from "./schemas.ts";

/** Git sync, as the contract names it. */
export const syncTools = (sync: LoadSync): readonly Tool[] => [
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
    output: PushResult,
    run: async ({ message }, call) => (await sync(call)).push(message),
    show: ({ status, commit, push_error, renumbered = [], warnings = [] }) =>
      lines(
        `${inWords(status)}${commit ? ` ${commit}` : ""}`,
        push_error,
        ...renumbered.map(({ from, to }) => `${from} is now ${to}`),
        ...warnings,
      ),
  }),
  defineTool({
    room: "team-memory",
    name: "context_sync_pull",
    description:
      "Fetch what teammates pushed and merge it section by section. With strategy agent, real conflicts are kept for you to resolve one by one.",
    effect: "writes",
    command: {
      words: "pull",
      examples: ["contextful memory pull", "contextful memory pull --strategy agent"],
    },
    input: z.object({
      strategy: z.string().default("ours").describe("Who wins a conflict: ours, theirs, or agent"),
    }),
    output: PullResult,
    run: async ({ strategy }, call) => (await sync(call)).pull(strategy),
    show: ({ status, commit, files = [], renumbered = [], warnings = [] }) =>
      lines(
        `${inWords(status)}${commit ? ` ${commit}` : ""}`,
        ...files,
        ...renumbered.map(({ from, to }) => `${from} is now ${to}`),
        ...warnings,
      ),
  }),
];

/** `nothing_to_push` is a value of the contract; a person reads words. */
const inWords = (status: string) => status.replaceAll("_", " ");
