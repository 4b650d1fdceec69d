import { z } from "zod";
import { Connectors } from "./connectors.ts";

/** The whole closed schema: an unknown key is an error. Every key has a default, so no file is needed. */
export const Config = z.strictObject({
  embedding: z
    .strictObject({
      /** auto = static at once, then MiniLM in the background if its runtime loads. */
      provider: z.enum(["auto", "static", "minilm", "openai", "ollama", "disabled"]).default("auto"),
      model: z.string().optional(),
      dims: z.int().positive().optional(),
      url: z.url().optional(),
      /** The name of the environment variable that holds the key; never the key itself. */
      api_key_env: z.string().default("OPENAI_API_KEY"),
      batch_size: z.int().min(1).max(2048).default(64),
      max_retries: z.int().min(0).max(20).default(5),
      timeout_secs: z.number().positive().default(30),
    })
    .prefault({}),
  retrieval: z
    .strictObject({
      hybrid_alpha: z.number().min(0).max(1).default(0.6),
      candidate_k_keyword: z.int().min(1).max(10_000).default(80),
      candidate_k_vector: z.int().min(1).max(10_000).default(80),
      final_limit: z.int().min(1).max(100).default(12),
      max_chunks_per_doc: z.int().min(1).default(3),
    })
    .prefault({}),
  chunking: z
    .strictObject({
      max_tokens: z.int().min(16).max(8192).default(400),
      overlap_tokens: z.int().min(0).default(0),
    })
    .prefault({}),
  server: z
    .strictObject({
      bind: z.string().default("127.0.0.1:7331"),
      /** Such as "15m". If omitted, documents are synced only on command. */
      sync_every: z
        .string()
        .regex(/^\d+(s|m|h)$/)
        .optional(),
    })
    .prefault({}),
  memory: z
    .strictObject({
      /** The branch that team memory is synced on; default: the branch that is checked out. */
      branch: z.string().refine(isBranchName, "not a name that git allows for a branch").optional(),
      push_at_shutdown: z.boolean().default(true),
    })
    .prefault({}),
  /** Read only from the user's own configuration: it decides where file contents are sent. */
  llm: z
    .strictObject({
      base_url: z.url(),
      model: z.string(),
      api_key_env: z.string().default("OPENAI_API_KEY"),
      timeout_secs: z.number().positive().default(60),
    })
    .optional(),
  directories: z
    .strictObject({
      /** Programs that may write summaries, by name. Read only from the user's own configuration. */
      command: z
        .record(
          z.string(),
          z.strictObject({
            /** The program and its arguments; no shell reads them. */
            command: z.array(z.string().min(1)).min(1),
            timeout_secs: z.number().positive().max(3600).default(120),
          }),
        )
        .default({}),
    })
    .prefault({}),
  /** Where the team keeps its indexes. Read only from the user's own configuration: code is fetched from there and sent there. */
  team: z
    .strictObject({
      /** A directory, or a `file:`, `postgres:` or `https:` URL. */
      url: z.string().min(1),
    })
    .optional(),
  connectors: Connectors.prefault({}),
});
export type Config = z.output<typeof Config>;

/** The rules of `git check-ref-format --branch`. */
function isBranchName(name: string): boolean {
  const isPart = (part: string) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock");
  return (
    name.split("/").every(isPart) &&
    !/^-|\.\.|@\{|[\p{Cc} ~^:?*[\\]|\.$/u.test(name) &&
    !["@", "HEAD"].includes(name)
  );
}
