import { z } from "zod";

const Paths = z.array(z.string());
const Warnings = z.array(z.string());
/** Decisions that got another number. */
const RenumberedDecisions = z.array(z.object({ from: z.string(), to: z.string() }));

export const PushResult = z.object({
  status: z.enum(["pushed", "committed", "nothing_to_push"]),
  commit: z.string().optional(),
  push_error: z.string().optional(),
  ahead: z.int().optional(),
  behind: z.int().optional(),
  auto_resolved: Paths.optional(),
  renumbered: RenumberedDecisions.optional(),
  warnings: Warnings.optional(),
});
export type PushResult = z.infer<typeof PushResult>;

export const PushPlan = z.object({
  target: z
    .string()
    .nullable()
    .describe("Remote and branch; null: there is no remote, so a push only commits"),
  files: z.array(z.object({ path: z.string(), change: z.enum(["added", "changed", "removed"]) })),
});
export type PushPlan = z.infer<typeof PushPlan>;

export const PullResult = z.object({
  status: z.enum(["pulled", "merged", "up_to_date", "no_remote", "conflicts"]),
  commit: z.string().optional(),
  strategy: z.string().optional(),
  conflict_id: z.string().optional(),
  files: Paths.optional(),
  resolved: Paths.optional(),
  auto_resolved: Paths.optional(),
  renumbered: RenumberedDecisions.optional(),
  warnings: Warnings.optional(),
});
export type PullResult = z.infer<typeof PullResult>;

export const MergeStatus = z.object({
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
      auto_resolved: Paths,
    })
    .optional(),
});
export type MergeStatus = z.infer<typeof MergeStatus>;

export const ConflictDetail = z.object({
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
export type ConflictDetail = z.infer<typeof ConflictDetail>;

export const ResolvedConflict = z.object({
  status: z.literal("resolved"),
  file_path: z.string(),
  remaining: z.int(),
});
export type ResolvedConflict = z.infer<typeof ResolvedConflict>;

export const FinalizedMerge = z.object({
  status: z.literal("merged"),
  commit: z.string(),
  resolved: z.int(),
  kept_ours: Paths,
  renumbered: RenumberedDecisions,
  warnings: Warnings,
});
export type FinalizedMerge = z.infer<typeof FinalizedMerge>;

/** A push or pull of `memory watch` that changed something. */
export const SyncEvent = z.object({
  did: z.enum(["push", "pull"]),
  status: z.string().describe("As the tools for pushing and pulling call it"),
});
export type SyncEvent = z.infer<typeof SyncEvent>;
