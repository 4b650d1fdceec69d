import { z } from "zod";
import type { PackItem, PackSource } from "../../capabilities/packs/index.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import type { Tool } from "../../core/tool.ts";
import { callerOf } from "./call-tool.ts";
import { quote, sizes } from "./quote.ts";

const Caches = z.object({
  caches: z.array(z.object({ path: z.string() })),
});
const Resolved = z.object({
  documents: z.array(z.object({ id: z.string(), score: z.number(), content: z.string() })),
});
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
      const listed = await call("context.list_caches", {}, signal).then(
        (answer) => Caches.parse(answer).caches,
        () => [],
      );
      const names = listed.map(({ path }) => path).slice(0, MOST_CACHES);
      const items: PackItem[] = [];
      for (const cache of names) {
        const answer = await call("context.resolve", { cache, query: task, budget: BUDGET }, signal).catch(
          () => ({ documents: [] }),
        );
        const { documents } = Resolved.parse(answer);
        const best = documents.reduce((most, { score }) => Math.max(most, score), 0);
        items.push(
          ...documents.filter(({ score }) => score > 0).map((document) => itemOf(cache, document, best)),
        );
      }
      const state = sha256(JSON.stringify([names, items]));
      return { items, state, ...(names.length === 0 && { empty: NONE }) };
    },
  };
};

function itemOf(
  cache: string,
  { id, score, content }: { id: string; score: number; content: string },
  best: number,
): PackItem {
  const lines = quotableLines(content);
  // A cache holds copies: what it calls a document may be no file of the project, or another one by now.
  const path = `cache:${cache}/${id}`;
  return {
    id: path,
    room: "context-caches",
    kind: "document",
    title: id,
    score: 0.5 * (score / best),
    why: `chosen by the cache ${cache}`,
    provenance: `cache ${cache}`,
    freshness: "not checked",
    language: "md",
    sizes: sizes(quote(path, lines, 1, lines.length), quote(path, lines, 1, 3)),
  };
}
