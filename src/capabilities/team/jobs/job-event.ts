import { z } from "zod";

/** What a worker reports while it runs. */
export const JobEvent = z.object({
  project: z.string(),
  state: z.enum(["published", "unchanged"]),
  seconds: z.number(),
  commit: z.string().optional(),
  blocks: z.int().optional(),
  new_blocks: z.int().optional(),
});
export type JobEvent = z.output<typeof JobEvent>;
