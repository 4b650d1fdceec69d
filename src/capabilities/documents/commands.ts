import { z } from "zod";
import { defineCommand, defineTool, type Tool } from "../../core/tool.ts";
import type { Documents } from "./documents.ts";
import { AddedSource, AddSourceRequest, Limit, Mode, Since, Stats, Until } from "./schemas.ts";
import { showAddedSource, showStats } from "./show.ts";
import { SyncReport, showReport } from "./sync/report.ts";

/** Fields that only people may give: `--explain`, and a blank query, which finds nothing. */
export const SearchExtras = z.object({
  query: z.string().describe("Words or a question to look for"),
  explain: z.boolean().default(false).describe("Say how each score came about"),
  sync_first: z.boolean().optional().describe("Read the files of the project that have changed first"),
});

/** `context.search` for people: flat flags, and `--explain`. */
export const searchCommand = defineCommand({
  words: "search",
  description: "Search the documents; files of the project that have changed are read first.",
  positional: ["query"],
  examples: [
    'contextful documents search "roll back a deployment"',
    "contextful documents search token --mode hybrid --source filesystem:docs --since 2026-03-01",
  ],
  form: z.object({
    query: SearchExtras.shape.query,
    mode: Mode,
    limit: Limit,
    source: z.string().optional().describe("Exact source label, e.g. filesystem:docs"),
    tag: z.array(z.string()).optional().describe("Only documents with all of these tags"),
    since: Since.optional(),
    until: Until.optional(),
    explain: SearchExtras.shape.explain,
  }),
  toInput: ({ source, tag, since, until, ...input }) => ({
    ...input,
    filters: { source, tags: tag, since, until },
    sync_first: true,
  }),
});

/** What only people do: sync, and look at what is stored. */
export const documentCommands = (documents: Documents): Tool[] => [
  defineTool({
    room: "documents",
    name: "documents_sync",
    description: "Bring documents in from the configured sources; only what changed is read and written.",
    effect: "writes",
    audience: "people",
    command: {
      words: "sync",
      positional: ["target"],
      examples: ["contextful documents sync", "contextful documents sync git:handbook --full"],
      exitCode: ({ sources }) => {
        if (sources.every(({ status }) => status === "ok")) return 0;
        return sources.every(({ status }) => status === "failed") ? 1 : 4;
      },
    },
    input: z.object({
      target: z
        .string()
        .default("all")
        .describe("all, a type such as git, or one source such as git:handbook"),
      full: z.boolean().default(false).describe("Read everything again, changed or not"),
      dry_run: z.boolean().default(false).describe("Only show what would be read and removed"),
      since: Since.optional(),
      until: Until.optional(),
      limit: z.int().min(1).optional().describe("Most items to read from each source"),
      progress: z
        .enum(["human", "json", "none"])
        .default("human")
        .describe("How progress is shown on stderr: for people, as JSON lines, or not at all"),
    }),
    output: SyncReport,
    run: (request, call) => documents.sync(request, call),
    show: showReport,
    failed: ({ sources }) => sources.length > 0 && sources.every(({ status }) => status === "failed"),
  }),
  defineTool({
    room: "documents",
    name: "documents_add",
    description:
      "Add a source of documents to contextful.toml: a directory, a web page, a sitemap or a repository.",
    effect: "writes",
    audience: "people",
    command: {
      words: "add",
      positional: ["source"],
      examples: ["contextful documents add docs", "contextful documents add https://example.com/sitemap.xml"],
    },
    input: AddSourceRequest,
    output: AddedSource,
    run: (input, call) => documents.add(input, call),
    show: showAddedSource,
  }),
  defineTool({
    room: "documents",
    name: "documents_stats",
    description: "Count what is stored: documents, chunks and vectors, for each source.",
    effect: "reads",
    audience: "people",
    command: { words: "stats", examples: ["contextful documents stats"] },
    input: z.object({}),
    output: Stats,
    run: () => documents.stats(),
    show: showStats,
  }),
  defineTool({
    room: "documents",
    name: "documents_export",
    description: "Write all documents and chunks as one JSON file, or to the terminal.",
    effect: "reads",
    audience: "people",
    command: {
      words: "export",
      raw: true,
      examples: ["contextful documents export --output documents.json"],
    },
    input: z.object({ output: z.string().optional().describe("File to write; default: print") }),
    output: z.object({
      written: z.string().nullable(),
      documents: z.array(z.record(z.string(), z.unknown())),
      chunks: z.array(z.record(z.string(), z.unknown())),
    }),
    run: ({ output }) => documents.export(output),
    show: ({ written, documents: all, chunks }) =>
      written === null ? JSON.stringify({ documents: all, chunks }, null, 2) : `Wrote ${written}`,
  }),
];
