import { z } from "zod";
import type { Call, Tool } from "../../../core/tool.ts";
import { memoryTool } from "../answers.ts";
import type { TeamSync } from "./team-sync.ts";

const Renumbered = z.array(z.object({ from: z.string(), to: z.string() }));
const Warnings = z.array(z.string());

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

const StatusOutput = z.object({
  status: z.enum(["clean", "conflicts"]),
  conflict_id: z.string().optional(),
  report: z
    .object({
      has_conflicts: z.boolean(),
      total: z.int(),
      unresolved: z.int(),
      conflicts: z.array(
        z.object({
          file_path: z.string(),
          kind: z.string(),
          ours_preview: z.string(),
          theirs_preview: z.string(),
          resolved: z.boolean(),
        }),
      ),
      auto_resolved: z.array(z.string()),
    })
    .optional(),
});

const DetailOutput = z.object({
  file_path: z.string(),
  kind: z.string(),
  resolved: z.boolean(),
  ours_content: z.string(),
  theirs_content: z.string(),
  base_content: z.string(),
  diff: z.string(),
  section_analysis: z
    .object({
      has_section_conflicts: z.boolean(),
      conflict_details: z.array(z.string()),
      auto_merged_content: z.string().nullable(),
    })
    .optional(),
});

const FinalizeOutput = z.object({
  status: z.literal("merged"),
  commit: z.string(),
  resolved: z.int(),
  kept_ours: z.array(z.string()),
  renumbered: Renumbered,
  warnings: Warnings,
});

const filePath = z.string().describe("Path of the conflicted file, relative to the project");
const lines = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join("\n");

export const syncTools = (sync: (call: Call) => Promise<TeamSync>): readonly Tool[] => [
  memoryTool({
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
  memoryTool({
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
  memoryTool({
    name: "context_merge_status",
    description:
      "Tell whether a merge of the team's memory waits for decisions, and which files are in conflict.",
    effect: "reads",
    command: { words: "conflicts", examples: ["contextful memory conflicts"] },
    input: z.object({}),
    output: StatusOutput,
    run: async (_, call) => (await sync(call)).status(),
    show: ({ status, report }) =>
      lines(
        status,
        ...(report?.conflicts ?? []).map(
          (file) => `${file.resolved ? "settled " : "open    "}${file.file_path} (${file.kind})`,
        ),
      ),
  }),
  memoryTool({
    name: "context_conflict_detail",
    description: "Show one conflicted file: both sides, their common base, a diff and what merges by itself.",
    effect: "reads",
    command: {
      words: "conflicts show",
      positional: ["file_path"],
      examples: ["contextful memory conflicts show .context-teleport/knowledge/architecture.md"],
    },
    input: z.object({ file_path: filePath }),
    output: DetailOutput,
    run: async ({ file_path }, call) => (await sync(call)).detail(file_path),
    show: ({ diff }) => diff,
  }),
  memoryTool({
    name: "context_resolve_conflict",
    description:
      "Settle one conflicted file by giving its final content; it may be given again until the merge is finished.",
    effect: "writes",
    input: z.object({
      file_path: filePath,
      content: z
        .string()
        .describe("The whole text the file shall have; empty deletes a file that one side deleted"),
    }),
    output: z.object({ status: z.literal("resolved"), file_path: z.string(), remaining: z.int() }),
    run: async ({ file_path, content }, call) => (await sync(call)).resolve(file_path, content),
    show: ({ remaining }) => `resolved, ${remaining} open`,
  }),
  memoryTool({
    name: "context_merge_finalize",
    description: "Finish the merge with the resolutions given; files without one keep our side.",
    effect: "writes",
    command: { words: "conflicts finalize", examples: ["contextful memory conflicts finalize"] },
    input: z.object({}),
    output: FinalizeOutput,
    run: async (_, call) => (await sync(call)).finalize(),
    show: ({ commit, resolved, kept_ours, warnings }) =>
      lines(
        `merged ${commit}, ${resolved} settled`,
        ...kept_ours.map((file) => `kept ours: ${file}`),
        ...warnings,
      ),
  }),
  memoryTool({
    name: "context_merge_abort",
    description:
      "Give up the pending merge; nothing of it was applied, and the next pull finds the conflicts again.",
    effect: "writes",
    command: { words: "conflicts abort", examples: ["contextful memory conflicts abort"] },
    input: z.object({}),
    output: z.object({ status: z.literal("aborted") }),
    run: async (_, call) => (await sync(call)).abort(),
    show: ({ status }) => status,
  }),
];
