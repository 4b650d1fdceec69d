import { z } from "zod";
import type { PackItem, PackSource } from "../../capabilities/packs/index.ts";
import { DomainError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import type { Tool } from "../../core/tool.ts";
import { callerOf } from "./call-tool.ts";
import { quote, sizes } from "./quote.ts";

const Listing = z.object({
  caches: z.array(z.object({ path: z.string(), has_manifest: z.boolean() })),
});
const Resolved = z.object({
  documents: z.array(z.object({ id: z.string(), score: z.number(), content: z.string() })),
});
type ResolvedDocument = z.infer<typeof Resolved>["documents"][number];
const MOST_CACHES = 5;
const BUDGET = 4000;
const NONE = {
  reason: "no cache is built",
  command: "contextful caches build --sources DIR --cache .context-caches/NAME",
};

/** What the caches of the project give for the task, document by document. */
export const cachesSource = (tools: readonly Tool[]): PackSource => {
  const call = callerOf(tools);
  return {
    room: "context-caches",
    async gather({ task }, signal) {
      const listing = await call("context.list_caches", {}, signal).catch(asUnusable);
      const listed = Listing.optional().parse(listing)?.caches.slice(0, MOST_CACHES) ?? [];
      const items: PackItem[] = [];
      let unusable = 0;
      for (const { path: cache } of listed.filter(({ has_manifest }) => has_manifest)) {
        const input = { cache, query: task, budget: BUDGET };
        const answer = await call("context.resolve", input, signal).catch(asUnusable);
        if (answer === undefined) unusable++;
        else items.push(...itemsOf(cache, Resolved.parse(answer).documents));
      }
      const state = sha256(JSON.stringify([listed.map(({ path }) => path), items]));
      if (listed.length === 0) return { items, state, empty: NONE };
      return { items, state, ...(unusable > 0 && { empty: cannotBeUsed(unusable) }) };
    },
  };
};

/** A broken cache, or no directory of caches: the pack goes without it. Anything else ends the pack. */
function asUnusable(thrown: unknown) {
  if (!(thrown instanceof DomainError)) throw thrown;
  return thrown.reason === "invalid_query" ? { documents: [] } : undefined;
}

const cannotBeUsed = (caches: number) => ({
  reason: `${caches === 1 ? "one cache" : `${caches} caches`} cannot be used`,
  command: `${NONE.command} --force`,
});

function itemsOf(cache: string, documents: readonly ResolvedDocument[]): PackItem[] {
  const matching = documents.filter(({ score }) => score > 0);
  const best = matching.reduce((most, { score }) => Math.max(most, score), 0);
  return matching.map((document) => itemOf(cache, document, document.score / best));
}

function itemOf(cache: string, { id, content }: ResolvedDocument, share: number): PackItem {
  const lines = quotableLines(content);
  // A cache holds copies: what it calls a document may be no file of the project, or another one by now.
  const path = `cache:${cache}/${id}`;
  return {
    id: path,
    room: "context-caches",
    kind: "document",
    title: id,
    score: 0.5 * share,
    why: `chosen by the cache ${cache}`,
    provenance: `cache ${cache}`,
    freshness: "not checked",
    language: "md",
    sizes: sizes(quote(path, lines, 1, lines.length), quote(path, lines, 1, 3)),
  };
}
