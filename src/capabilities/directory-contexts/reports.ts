import { z } from "zod";

const Scopes = z.array(z.string());
const Reasons = z.array(z.object({ scope: z.string(), reason: z.string() }));

/** What `init` and `regen` did. */
export const GenerationReport = z.object({
  root: z.string(),
  dry_run: z.boolean(),
  created: Scopes,
  updated: Scopes,
  unchanged: z.int(),
  kept: z.array(z.object({ scope: z.string(), fields: z.array(z.string()) })),
  /** Directories without a context, because their files do not say what they are for. */
  left_out: Scopes,
  /** Left alone on purpose. */
  skipped: Reasons,
  /** Could not be written. */
  failed: Reasons,
  agents_md: z.enum(["written", "would be written", "unchanged", "skipped"]),
  warnings: z.array(z.string()),
  diff: z.string().optional(),
});
export type GenerationReport = z.infer<typeof GenerationReport>;

export const RehashReport = z.object({
  root: z.string(),
  rehashed: Scopes,
  fresh: z.int(),
  failed: Reasons,
});
export type RehashReport = z.infer<typeof RehashReport>;

const DirectoryStatus = z.object({
  scope: z.string(),
  state: z.enum(["fresh", "stale", "missing"]),
  fingerprint: z.string(),
  summary: z.string().optional(),
  content_changed: z.boolean().optional(),
  problem: z.string().optional(),
});
export type DirectoryStatus = z.infer<typeof DirectoryStatus>;

/** With `--strict`: where a context does not follow the schema or does not match the files. */
const StrictFinding = z.object({
  scope: z.string(),
  level: z.enum(["error", "warning", "info"]),
  rule: z.string(),
  message: z.string(),
});
export type StrictFinding = z.infer<typeof StrictFinding>;

export const StatusReport = z.object({
  root: z.string(),
  directories: z.array(DirectoryStatus),
  /** Counts all directories, also those that `--stale` leaves out. */
  summary: z.object({
    total: z.int(),
    tracked: z.int(),
    fresh: z.int(),
    stale: z.int(),
    missing: z.int(),
    skipped: z.int(),
  }),
  findings: z.array(StrictFinding).optional(),
  ok: z.boolean(),
});
export type StatusReport = z.infer<typeof StatusReport>;

/** An event of `watch`. A directory is `gone` if it has left the project. */
export const ContextStateChange = z.object({
  scope: z.string(),
  state: z.enum(["fresh", "stale", "missing", "gone"]),
});
export type ContextStateChange = z.infer<typeof ContextStateChange>;
