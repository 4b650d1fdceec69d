import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import { documentCommands, SearchExtras, searchCommand } from "./commands.ts";
import type { Documents } from "./documents.ts";
import { DocumentHit, DocumentQuery, Id, ScoreExplanation, SourceState, StoredDocument } from "./schemas.ts";
import { showDocument, showResults } from "./show.ts";

/** The contract's three tools, for everyone. */
const contractTools = (documents: Documents): Tool[] => [
  defineTool({
    room: "documents",
    name: "context.search",
    safeName: "documents_search",
    title: "Search documents",
    description:
      "Search the project's documents (notes, guides, runbooks, web pages) brought in from its configured sources. Returns the best documents with a snippet each; read one whole with context.get.",
    effect: "reads",
    route: { method: "POST", path: "/tools/search" },
    command: searchCommand,
    input: DocumentQuery,
    viewInput: SearchExtras,
    output: z.object({ results: z.array(DocumentHit) }),
    viewOutput: z.object({
      results: z.array(DocumentHit.extend({ explanation: ScoreExplanation.optional() })),
    }),
    run: async ({ explain = false, sync_first: syncs, ...query }, call) => ({
      results: await documents.find(query, { explain, syncs: syncs ?? call.caller === "agent" }, call),
    }),
    show: ({ results }) => showResults(results),
  }),
  defineTool({
    room: "documents",
    name: "context.get",
    safeName: "documents_get",
    title: "Read a document",
    description:
      "Read one document whole, with its metadata and chunks, by the id that context.search gave. Fails with not_found for an unknown id.",
    effect: "reads",
    route: { method: "POST", path: "/tools/get" },
    command: {
      words: "get",
      description: "Read one document whole, with its metadata and chunks, by the id that a search gave.",
      positional: ["id"],
      examples: ["contextful documents get ID"],
    },
    input: z.object({ id: Id }),
    output: StoredDocument,
    run: ({ id }) => documents.get(id),
    show: showDocument,
  }),
  defineTool({
    room: "documents",
    name: "context.sources",
    safeName: "documents_sources",
    title: "List document sources",
    description:
      "List the configured sources of documents: whether each can be reached now, and when it was last synced. Use it when a search finds less than expected.",
    effect: "reads",
    route: { method: "GET", path: "/tools/sources" },
    command: { words: "sources", examples: ["contextful documents sources"] },
    input: z.object({}),
    output: z.object({ sources: z.array(SourceState) }),
    run: async (_, call) => ({ sources: await documents.sources(call.signal) }),
    show: ({ sources }) =>
      sources
        .map(({ name, healthy, notes }) => `${healthy ? "ok " : "no "} ${name}  ${notes ?? ""}`)
        .join("\n") || "No sources are configured.",
  }),
];

export const documentTools = (documents: Documents): Tool[] => [
  ...contractTools(documents),
  ...documentCommands(documents),
];
