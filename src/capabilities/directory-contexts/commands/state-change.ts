import { z } from "zod";

/** What a watch tells of one directory; `gone` where it has left the project. */
export const StateChange = z.object({
  scope: z.string(),
  state: z.enum(["fresh", "stale", "missing", "gone"]),
});
export type StateChange = z.infer<typeof StateChange>;
