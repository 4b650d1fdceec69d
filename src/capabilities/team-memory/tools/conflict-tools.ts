import { z } from "zod";
import { type Call, defineTool, type Tool } from "../../../core/tool.ts";
import type { TeamSync } from "../git-sync/team-sync.ts";
import { lines, Renumbered, Warnings } from "./sync-outputs.ts";

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

export const Resolved = z.object({
  status: z.literal("resolved"),
  file_path: z.string(),
  remaining: z.int(),
});
export const FilePath = z.string().describe("Path of the conflicted file, relative to the project");

/** Conflict resolution as the contract names it. */
export const conflictTools = (sync: (call: Call) => Promise<TeamSync>): readonly Tool[] => [
  defineTool({
    room: "team-memory",
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
  defineTool({
    room: "team-memory",
    name: "context_conflict_detail",
    description: "Show one conflicted file: both sides, their common base, a diff and what merges by itself.",
    effect: "reads",
    command: {
      words: "conflicts show",
      positional: ["file_path"],
      examples: ["contextful memory conflicts show .context-teleport/knowledge/architecture.md"],
    },
    input: z.object({ file_path: FilePath }),
    output: DetailOutput,
    run: async ({ file_path }, call) => (await sync(call)).detail(file_path),
    show: ({ diff }) => diff,
  }),
  defineTool({
    room: "team-memory",
    name: "context_resolve_conflict",
    description:
      "Settle one conflicted file by giving its final content; it may be given again until the merge is finished.",
    effect: "writes",
    input: z.object({
      file_path: FilePath,
      content: z
        .string()
        .describe("The whole text the file shall have; empty deletes a file that one side deleted"),
    }),
    output: Resolved,
    run: async ({ file_path, content }, call) => (await sync(call)).resolve(file_path, content),
    show: ({ remaining }) => `resolved, ${remaining} open`,
  }),
  defineTool({
    room: "team-memory",
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
  defineTool({
    room: "team-memory",
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
