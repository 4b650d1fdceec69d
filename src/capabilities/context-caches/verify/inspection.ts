import { z } from "zod";

/** The contract's answer to context.inspect_cache; people get the same fields about the documents. */
export const Inspection = z.object({
  cache_version: z.string(),
  document_count: z.int().min(0),
  total_bytes: z.int().min(0),
  valid: z.boolean(),
});
export type Inspection = z.infer<typeof Inspection>;
