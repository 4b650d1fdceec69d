import { z } from "zod";
import { defineCommand, defineTool, type Tool } from "../../core/tool.ts";
import type { ContextCaches } from "./caches.ts";
import { ASKED_BY_PEOPLE, asAsked, PLACE } from "./fields.ts";
import { ResolveExplanation, showExplanation } from "./resolve/explanation.ts";
import { type Resolution, resolutionText } from "./resolve/resolution.ts";

/** A field that only people may give: they may name another cache root than the server's. */
export const CacheRoot = z.object({ cache_root: PLACE.cache_root });

/** `context.resolve` for people, who may name a directory. The bytes are the same. */
export const resolveCommand = defineCommand({
  words: "resolve",
  description: "Print the documents of a cache for a query, byte for byte as the contract says.",
  raw: true,
  examples: ['contextful caches resolve --cache docs --query "deploy staging" --budget 4000'],
  form: z
    .object({
      ...ASKED_BY_PEOPLE,
      cache_root: PLACE.cache_root,
      format: z.enum(["json", "pretty"]).default("json").describe("One line, or indented by two spaces"),
    })
    .meta(asAsked),
  toInput: ({ format: _, ...input }) => input,
  show: (resolution: Resolution, { format }) => resolutionText(resolution, format),
});

/** `context.inspect_cache` for people: it counts the bytes of the documents. */
export const inspectCommand = defineCommand({
  words: "inspect",
  description: "Show a cache's version, number of documents, their bytes and whether all of them are there.",
  examples: ["contextful caches inspect --cache docs"],
  form: z.object(PLACE),
});

export const listCommand = defineCommand({
  words: "list",
  description: "List the caches under the cache root.",
  examples: ["contextful caches list", "contextful caches list --cache-root caches"],
  form: CacheRoot,
});

/** What only people do. */
export const commandTools = (room: () => Promise<ContextCaches>): Tool[] => [
  defineTool({
    room: "context-caches",
    name: "caches_build",
    audience: "people",
    description:
      "Build an immutable cache of the documents in a directory. A build that fails or is stopped leaves the old cache as it was.",
    effect: "writes",
    command: {
      words: "build",
      examples: [
        "contextful caches build --sources docs --cache .context-caches/docs",
        "contextful caches build --sources . --cache caches/all --include '**/*.md,**/*.ts,!node_modules/**' --force",
      ],
    },
    input: z.object({
      sources: z.string().min(1).describe("Directory of the documents"),
      cache: z.string().min(1).describe("Directory to make"),
      force: z.boolean().default(false).describe("Replace a cache that is there"),
      include: z
        .string()
        .optional()
        .describe("Patterns of files to take, separated by commas; default: **/*.md"),
    }),
    output: z.object({ cache: z.string(), documents: z.int() }),
    run: async (input, call) => (await room()).build(input, call),
    show: ({ cache, documents }) => `Built ${cache}: ${counted(documents)}.`,
  }),
  defineTool({
    room: "context-caches",
    name: "caches_verify",
    audience: "people",
    description:
      "Check a whole cache: manifest, recomputed version, every file present, every hash right, nothing that does not belong.",
    effect: "reads",
    command: { words: "verify", examples: ["contextful caches verify --cache docs"] },
    input: z.object(PLACE),
    output: z.object({ cache_version: z.string(), document_count: z.int() }),
    run: async (where, call) => (await room()).verify(where, call),
    show: ({ cache_version, document_count }) => `Valid: ${counted(document_count)}, ${cache_version}`,
  }),
  defineTool({
    room: "context-caches",
    name: "caches_explain",
    audience: "people",
    description:
      "Tell why a query is answered as it is: what was taken, what was left out and why, and the next budget that changes it.",
    effect: "reads",
    command: {
      words: "explain",
      examples: ['contextful caches explain --cache docs --query "deploy" --budget 500'],
    },
    input: z.object({ ...ASKED_BY_PEOPLE, cache_root: PLACE.cache_root }).meta(asAsked),
    output: ResolveExplanation,
    run: async (input, call) => (await room()).explain(input, call),
    show: showExplanation,
  }),
];

const counted = (documents: number) => `${documents} ${documents === 1 ? "document" : "documents"}`;
