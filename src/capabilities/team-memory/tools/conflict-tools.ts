import { z } from "zod";
import { defineCommand, defineTool, type Tool } from "../../../core/tool.ts";
import { ConflictDetail, FinalizedMerge, MergeStatus, ResolvedConflict } from "../git-sync/results.ts";
import { contentOf, FromFile } from "./content-input.ts";
import { type LoadSync, lines } from "./schemas.ts";

const FilePath = z.string().describe("Path of the conflicted file, relative to the project");
const Resolution = z
  .string()
  .describe("The whole new text of the file; empty deletes a file that one side deleted");

const resolveCommand = defineCommand({
  words: "conflicts resolve",
  description: "Resolve one conflicted file, from the command line, a file or standard input.",
  positional: ["file_path", "content"],
  examples: [
    "contextful memory conflicts resolve .context-teleport/knowledge/architecture.md --file merged.md",
  ],
  form: z.object({
    file_path: FilePath,
    content: Resolution.optional(),
    file: FromFile,
  }),
  toInput: ({ file_path, content, file }) => ({ file_path, content: contentOf(content, file) }),
});

/** Conflict resolution, as the contract names it. */
export const conflictTools = (sync: LoadSync): readonly Tool[] => [
  defineTool({
    room: "team-memory",
    name: "context_merge_status",
    description:
      "Say whether a merge of the team's memory waits for decisions, and which files are in conflict.",
    effect: "reads",
    command: { words: "conflicts", examples: ["contextful memory conflicts"] },
    input: z.object({}),
    output: MergeStatus,
    run: async (_, call) => (await sync(call)).status(),
    show: showStatus,
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
    output: ConflictDetail,
    run: async ({ file_path }, call) => (await sync(call)).detail(file_path),
    show: ({ diff }) => diff,
  }),
  defineTool({
    room: "team-memory",
    name: "context_resolve_conflict",
    description:
      "Resolve one conflicted file with its final content. You may resolve it again until the merge is finished.",
    effect: "writes",
    command: resolveCommand,
    input: z.object({ file_path: FilePath, content: Resolution }),
    output: ResolvedConflict,
    run: async ({ file_path, content }, call) => (await sync(call)).resolve(file_path, content),
    show: ({ remaining }) => `resolved, ${remaining} open`,
  }),
  defineTool({
    room: "team-memory",
    name: "context_merge_finalize",
    description: "Finish the merge with the given resolutions. Files without one keep our side.",
    effect: "writes",
    command: { words: "conflicts finalize", examples: ["contextful memory conflicts finalize"] },
    input: z.object({}),
    output: FinalizedMerge,
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
      "Abort the pending merge. Nothing of it was applied; the next pull finds the conflicts again.",
    effect: "writes",
    command: { words: "conflicts abort", examples: ["contextful memory conflicts abort"] },
    input: z.object({}),
    output: z.object({ status: z.literal("aborted") }),
    run: async (_, call) => (await sync(call)).abort(),
    show: ({ status }) => status,
  }),
];

function showStatus({ status, report }: MergeStatus): string {
  if (report === undefined) return "No conflicts: no merge waits for decisions.";
  return lines(
    status,
    ...report.conflicts.map(
      (file) => `${file.resolved ? "settled " : "open    "}${file.file_path} (${file.kind})`,
    ),
  );
}
