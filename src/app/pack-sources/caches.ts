import type { ContextCachesDoor } from "../../capabilities/context-caches/index.ts";
import type { Gathered, PackItem } from "../../capabilities/packs/index.ts";
import { DomainError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import { quote, sizes } from "./quote.ts";

type QuotedCacheDocument = Awaited<ReturnType<ContextCachesDoor["resolve"]>>["documents"][number];
const MOST_CACHES = 5;
const BUDGET = 4000;
const NONE = {
  reason: "no cache is built",
  command: "contextful caches build --sources DIR --cache .context-caches/NAME",
};

/** What the caches of the project select for the task, one item per document. */
export async function gatherCaches(
  caches: ContextCachesDoor,
  task: string,
  signal: AbortSignal,
): Promise<Gathered> {
  const listed = (await caches.list().catch(undefinedIfUnusable))?.slice(0, MOST_CACHES) ?? [];
  const items: PackItem[] = [];
  let unusable = 0;
  for (const { path: cache } of listed.filter(({ has_manifest }) => has_manifest)) {
    const documents = await selectFrom(caches, cache, { task, signal });
    if (documents === undefined) unusable++;
    else items.push(...itemsOf(cache, documents));
  }
  const state = sha256(JSON.stringify([listed.map(({ path }) => path), items]));
  if (listed.length === 0) return { items, state, empty: NONE };
  return { items, state, ...(unusable > 0 && { empty: cannotBeUsed(unusable) }) };
}

/** `undefined` if the cache cannot be used. */
async function selectFrom(
  caches: ContextCachesDoor,
  cache: string,
  { task, signal }: { readonly task: string; readonly signal: AbortSignal },
): Promise<readonly QuotedCacheDocument[] | undefined> {
  try {
    return (await caches.resolve({ cache, query: task, budget: BUDGET }, signal)).documents;
  } catch (thrown) {
    return isInvalidQuery(thrown) ? [] : undefinedIfUnusable(thrown);
  }
}

const isInvalidQuery = (thrown: unknown): boolean =>
  thrown instanceof DomainError && thrown.reason === "invalid_query";

/** The pack goes on without a broken cache or a missing cache directory. Any other failure ends the pack. */
function undefinedIfUnusable(thrown: unknown): undefined {
  if (!(thrown instanceof DomainError)) throw thrown;
}

const cannotBeUsed = (caches: number) => ({
  reason: `${caches === 1 ? "one cache" : `${caches} caches`} cannot be used`,
  command: `${NONE.command} --force`,
});

function itemsOf(cache: string, documents: readonly QuotedCacheDocument[]): PackItem[] {
  const matching = documents.filter(({ score }) => score > 0);
  const best = matching.reduce((most, { score }) => Math.max(most, score), 0);
  return matching.map((document) => itemOf(cache, document, document.score / best));
}

function itemOf(cache: string, { id, content }: QuotedCacheDocument, share: number): PackItem {
  const lines = quotableLines(content);
  // A cache holds copies: the file may be changed, or may not be in the project at all.
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
