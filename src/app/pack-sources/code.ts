import type { CodeIndex, SearchHit } from "../../capabilities/code-index/index.ts";
import type { Gathered, PackItem, PackRequest, PackSource } from "../../capabilities/packs/index.ts";
import { DomainError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { Shelf } from "./shelf.ts";
import { isOwnedElsewhere, isProse } from "./text-files.ts";
import { unindexedCode } from "./unindexed-code.ts";

const MOST_HITS = 45;
/** Documents are found better by their own room; where it has them, these are its duplicates. */
const MOST_PROSE = 5;
/** Hits whose neighbours are worth a look. */
const CENTRES = 4;

/** What the code source found for a request, for rooms that start from there. */
export type FoundCode = (request: PackRequest, signal: AbortSignal) => Promise<readonly PackItem[]>;

const LANDMARKS = 8;
/** What a text is worth that speaks of the code the task leads to rather than of the task. */
export const BY_CODE = 0.6;

/** The best of the code as a question: what it is called, where it stands and what it says of itself. */
export async function askedByCode(
  foundCode: FoundCode,
  request: PackRequest,
  signal: AbortSignal,
): Promise<string> {
  const best = (await foundCode(request, signal)).slice(0, LANDMARKS);
  return best
    .map(
      ({ title, sizes: [whole, brief = whole] }) =>
        `${title} ${brief?.citation.path ?? ""} ${brief?.text ?? ""}`,
    )
    .join("\n");
}

/** Code that bears on the task: what a search finds, what is next to the best of it, and what a change touches. */
export function codeSource(code: CodeIndex): { readonly source: PackSource; readonly found: FoundCode } {
  const answers = new WeakMap<PackRequest, Promise<Gathered>>();
  const gatherOnce = (request: PackRequest, signal: AbortSignal) => {
    const known = answers.get(request) ?? gather(code, request, signal);
    answers.set(request, known);
    return known;
  };
  return {
    source: { room: "code-index", gather: gatherOnce },
    found: async (request, signal) => (await gatherOnce(request, signal)).items,
  };
}

async function gather(code: CodeIndex, request: PackRequest, signal: AbortSignal): Promise<Gathered> {
  try {
    const items = await indexedCode(code, request, signal);
    // By what was found and not by the index's own count of its changes, which another machine does not share.
    return { items, state: sha256(JSON.stringify(items)) };
  } catch (thrown) {
    if (
      !(thrown instanceof DomainError) ||
      (thrown.code !== "not_indexed" && thrown.reason !== "not_a_project")
    )
      throw thrown;
    const { items, isIndexable } = await unindexedCode(request, signal);
    const empty = isIndexable
      ? { reason: "not indexed, found by names and text only", command: "contextful code index ." }
      : { reason: "no source code here, found by names and text only" };
    return { items, state: sha256(JSON.stringify(items)), empty };
  }
}

async function indexedCode(code: CodeIndex, request: PackRequest, signal: AbortSignal): Promise<PackItem[]> {
  const query = { query: request.task.slice(0, 2000), limit: MOST_HITS };
  const found = await code.searchCode(request.root, query, signal);
  const owned = found.hits.filter(({ file }) => !isOwnedElsewhere(file.path));
  const prose = new Set(owned.filter(({ file }) => isProse(file.path)).slice(MOST_PROSE));
  const hits = owned.filter((hit) => !prose.has(hit));
  const shelf = new Shelf(code, request.root);
  await shelf.addHits(hits, signal);
  await shelf.addTouched(request.changes, signal);
  for (const hit of hits.filter(isDeclared).slice(0, CENTRES)) await shelf.addNeighbours(hit, signal);
  return shelf.items();
}

const isDeclared = ({ symbol }: SearchHit) => symbol.kind !== "file" && symbol.kind !== "package";
