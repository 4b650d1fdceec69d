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
  /** Left alone on purpose. */
  skipped: Reasons,
  /** Should have been written and could not be. */
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

export const StatusReport = z.object({
  root: z.string(),
  directories: z.array(
    z.object({
      scope: z.string(),
      state: z.enum(["fresh", "stale", "missing"]),
      fingerprint: z.string(),
      summary: z.string().optional(),
      content_changed: z.boolean().optional(),
      problem: z.string().optional(),
    }),
  ),
  summary: z.object({
    total: z.int(),
    tracked: z.int(),
    fresh: z.int(),
    stale: z.int(),
    missing: z.int(),
    skipped: z.int(),
  }),
});
export type StatusReport = z.infer<typeof StatusReport>;

const Finding = z.object({
  scope: z.string(),
  level: z.enum(["error", "warning", "info"]),
  rule: z.string(),
  message: z.string(),
});
export type Finding = z.infer<typeof Finding>;
export const ValidationReport = z.object({
  root: z.string(),
  strict: z.boolean(),
  checked: z.int(),
  valid: z.int(),
  findings: z.array(Finding),
  ok: z.boolean(),
});
export type ValidationReport = z.infer<typeof ValidationReport>;

export const CheckReport = z.object({
  root: z.string(),
  ok: z.boolean(),
  checked: z.int(),
  problems: z.array(
    z.object({ scope: z.string(), problem: z.enum(["missing", "invalid", "changed"]), detail: z.string() }),
  ),
});
export type CheckReport = z.infer<typeof CheckReport>;

export const DoctorReport = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["pass", "warn", "fail"]),
      message: z.string(),
      fix: z.string().optional(),
    }),
  ),
  summary: z.object({ pass: z.int(), warn: z.int(), fail: z.int() }),
});
export type DoctorReport = z.infer<typeof DoctorReport>;

export const StatsReport = z.object({
  root: z.string(),
  directories: z.int(),
  tracked: z.int(),
  fresh: z.int(),
  stale: z.int(),
  missing: z.int(),
  source_tokens: z.int(),
  context_tokens: z.int(),
  /** How many times smaller the contexts are than what they describe. */
  ratio: z.number(),
  hand_written_fields: z.int(),
  languages: z.array(z.object({ language: z.string(), files: z.int() })),
});
export type StatsReport = z.infer<typeof StatsReport>;
