import { z } from "zod";

/** A push or a pull of a watch that found something to do. */
export const Exchange = z.object({
  did: z.enum(["push", "pull"]),
  status: z.string().describe("As the tools for pushing and pulling call it"),
});
export type Exchange = z.infer<typeof Exchange>;
