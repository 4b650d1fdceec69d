import { z } from "zod";
import { isRecord } from "../../core/json.ts";

const Strings = z.array(z.string());

/** Measured facts about the code. An unknown key makes the file invalid. */
const Evidence = z.strictObject({
  collected_at: z.string(),
  commit_sha: z.string().optional(),
  test_status: z.enum(["passing", "failing", "unknown"]).optional(),
  test_count: z.int().optional(),
  failing_tests: Strings.optional(),
  test_tool: z.string().optional(),
  typecheck: z.enum(["clean", "errors", "unknown"]).optional(),
  typecheck_tool: z.string().optional(),
  lint_status: z.enum(["clean", "errors", "unknown"]).optional(),
  lint_tool: z.string().optional(),
  coverage_percent: z.number().min(0).max(100).optional(),
});

/**
 * A `.context.yaml` of schema version 1, its fields in the order they are served and written. The top level and
 * `evidence` are closed; extra keys in other nested objects are dropped on reading and reported by `status --strict`.
 */
export const DirectoryContext = z.strictObject({
  version: z.literal(1),
  last_updated: z.string(),
  fingerprint: z.string(),
  scope: z.string(),
  summary: z.string(),
  files: z
    .array(z.object({ name: z.string(), purpose: z.string(), test_file: z.string().optional() }))
    .optional(),
  maintenance: z.string(),
  interfaces: z.array(z.object({ name: z.string(), description: z.string() })).optional(),
  decisions: z
    .array(z.object({ what: z.string(), why: z.string(), tradeoff: z.string().optional() }))
    .optional(),
  constraints: Strings.optional(),
  dependencies: z.object({ internal: Strings.optional(), external: Strings.optional() }).optional(),
  current_state: z
    .object({
      working: Strings.optional(),
      broken: Strings.optional(),
      in_progress: Strings.optional(),
    })
    .optional(),
  subdirectories: z.array(z.object({ name: z.string(), summary: z.string() })).optional(),
  environment: Strings.optional(),
  testing: Strings.optional(),
  todos: Strings.optional(),
  data_models: Strings.optional(),
  events: Strings.optional(),
  config: Strings.optional(),
  exports: Strings.optional(),
  project: z
    .object({
      name: z.string(),
      description: z.string(),
      language: z.string(),
      framework: z.string().optional(),
      package_manager: z.string().optional(),
    })
    .optional(),
  structure: z.array(z.object({ path: z.string(), summary: z.string() })).optional(),
  derived_fields: Strings.optional(),
  evidence: Evidence.optional(),
});
export type DirectoryContext = z.infer<typeof DirectoryContext>;
export type ContextField = keyof DirectoryContext;

export const FIELDS = DirectoryContext.keyof().options;
export const METADATA = ["version", "scope", "fingerprint", "last_updated"] as const;

const NOT_FILTERABLE: ReadonlySet<ContextField> = new Set([...METADATA, "derived_fields", "evidence"]);
export const FILTERABLE: readonly ContextField[] = FIELDS.filter((field) => !NOT_FILTERABLE.has(field));

export const CONTEXT_FILE = ".context.yaml";
export const SETTINGS_FILE = ".context.config.yaml";
export const IGNORE_FILE = ".contextignore";
export const AGENTS_FILE = "AGENTS.md";

/** Keys of nested objects that the schema does not know. They are not served, so a person should be warned. */
export function unknownKeys(raw: unknown, known: unknown, path = ""): string[] {
  if (Array.isArray(raw) && Array.isArray(known)) {
    return raw.flatMap((item, index) => unknownKeys(item, known[index], `${path}[${index}]`));
  }
  if (!isRecord(raw) || !isRecord(known)) return [];
  return Object.keys(raw).flatMap((key) => {
    const here = path === "" ? key : `${path}.${key}`;
    return Object.hasOwn(known, key) ? unknownKeys(raw[key], known[key], here) : [here];
  });
}

export { isRecord };
