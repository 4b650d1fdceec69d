import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import type { ContextCaches } from "./caches.ts";
import { CacheRoot, inspectCommand, listCommand, resolveCommand } from "./commands.ts";
import { ASKED, asAsked, Inspection, Listing, pretty, showListing } from "./fields.ts";
import { Resolution, resolutionText } from "./resolve/resolution.ts";

/** The contract's three tools. */
export const agentTools = (room: () => Promise<ContextCaches>): Tool[] => [
  defineTool({
    room: "context-caches",
    name: "context.resolve",
    safeName: "caches_resolve",
    description:
      "Select documents of a prebuilt context cache for a query within a token budget, by a fixed rule: the same cache, query and budget always give the same bytes. Returns whole documents, best first, with score and token count.",
    effect: "reads",
    command: resolveCommand,
    input: z.object(ASKED).meta(asAsked),
    viewInput: CacheRoot,
    output: Resolution,
    run: async (input, call) => (await room()).resolve(input, call),
    show: (output) => resolutionText(output),
    json: (output) => resolutionText(output),
  }),
  defineTool({
    room: "context-caches",
    name: "context.list_caches",
    safeName: "caches_list",
    description:
      "List the context caches this server can resolve queries against. Returns each cache's name and whether it has a manifest.",
    effect: "reads",
    command: listCommand,
    input: z.object({}),
    viewInput: CacheRoot,
    output: Listing,
    run: async ({ cache_root }, call) => ({
      caches: await (await room()).list({ cacheRoot: cache_root, caller: call.caller }),
    }),
    show: showListing,
  }),
  defineTool({
    room: "context-caches",
    name: "context.inspect_cache",
    safeName: "caches_inspect",
    description:
      "Look at one context cache without reading its documents. Returns its version, number of documents, size of its own files and whether its manifest is usable.",
    effect: "reads",
    command: inspectCommand,
    input: z.object({ cache: ASKED.cache }).meta({ required: ["cache"] }),
    viewInput: CacheRoot,
    output: Inspection,
    run: async (where, call) => (await room()).inspect(where, call),
    show: pretty,
  }),
];
