import { z } from "zod";

const State = z.enum(["fresh", "stale", "missing"]);
const contentChanged = z
  .boolean()
  .optional()
  .describe("For a stale context in git: whether the directory's files differ from when it was written");

export const QueryAnswer = z.object({
  found: z.boolean(),
  scope: z.string(),
  context: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
});
export type QueryAnswer = z.infer<typeof QueryAnswer>;

export const CheckAnswer = z.object({
  scope: z.string(),
  state: State,
  fingerprint: z.object({ stored: z.string(), computed: z.string() }).optional(),
  last_updated: z.string().optional(),
  content_changed: contentChanged,
  error: z.string().optional(),
});
export type CheckAnswer = z.infer<typeof CheckAnswer>;

export const ListAnswer = z.object({
  root: z.string(),
  total_directories: z.int(),
  skipped_directories: z.int(),
  tracked: z.int(),
  entries: z.array(
    z.object({
      scope: z.string(),
      state: State,
      has_context: z.boolean(),
      last_updated: z.string().optional(),
      summary: z.string().optional(),
      content_changed: contentChanged,
    }),
  ),
  error: z.string().optional(),
});
export type ListAnswer = z.infer<typeof ListAnswer>;
