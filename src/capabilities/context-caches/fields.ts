import { z } from "zod";

/** Listed with their types but accepted as anything: the room checks them in the contract's order, with its codes. */
const listedAs = (type: "string" | "integer", description: string) =>
  z
    .unknown()
    .optional()
    .meta(type === "integer" ? { type, minimum: 0, description } : { type, description });
export const ASKED = {
  cache: listedAs("string", "Name of the cache under the cache root, as context.list_caches lists it"),
  query: listedAs("string", "Words to look for; whole words count, in any case"),
  budget: listedAs("integer", "Most tokens of documents to return (a token is four bytes)"),
};
export const asAsked = { required: Object.keys(ASKED) };
const A_CACHE = "A cache: its directory, or its name under the cache root";
/** The same for people, who may name a directory. */
export const ASKED_BY_PEOPLE = { ...ASKED, cache: listedAs("string", A_CACHE) };
export const PLACE = {
  cache: z.string().describe(A_CACHE),
  cache_root: z.string().min(1).optional().describe("Directory whose subdirectories are the caches"),
};
/** The contract's answer to context.inspect_cache; people get the same fields about the documents. */
export const Inspection = z.object({
  cache_version: z.string(),
  document_count: z.int().min(0),
  total_bytes: z.int().min(0),
  valid: z.boolean(),
});
export type Inspection = z.infer<typeof Inspection>;

export const Listing = z.object({
  caches: z.array(z.object({ path: z.string(), has_manifest: z.boolean() })),
});
export type ListedCache = z.infer<typeof Listing>["caches"][number];

export const pretty = (value: unknown) => JSON.stringify(value, null, 2);
export const showListing = ({ caches }: z.infer<typeof Listing>) =>
  caches.map(({ path, has_manifest }) => (has_manifest ? path : `${path}  (no manifest)`)).join("\n");
