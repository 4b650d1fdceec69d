import type { CodeIndex, SearchHit } from "../../capabilities/code-index/index.ts";
import type { Gathered, PackItem, PackRequest } from "../../capabilities/packs/index.ts";
import { DomainError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { CodeCollector } from "./code-collector.ts";
import { isOwnedElsewhere, isProse } from "./text-files.ts";
import { changedCode, unindexedCode } from "./unindexed-code.ts";

const MOST_HITS = 45;
/** The documents room finds prose better; if it has these files too, ours are duplicates. */
const MOST_PROSE = 5;
/** How many of the best hits also get their neighbours. */
const CENTRES = 4;

/** Code for the task: search hits, what is next to the best of them, and what a change touches. */
export async function gatherCode(
  code: CodeIndex,
  request: PackRequest,
  signal: AbortSignal,
): Promise<Gathered> {
  try {
    const { items, behind } = await indexedCode(code, request, signal);
    // A hash of the items, not the generation of the index: that differs between machines.
    const state = sha256(JSON.stringify(items));
    return behind === 0 ? { items, state } : { items, state, empty: { reason: whyBehind(behind) } };
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

const whyBehind = (files: number) =>
  `${files === 1 ? "1 file" : `${files} files`} changed since indexed, found by names and text only`;

interface IndexedCode {
  readonly items: readonly PackItem[];
  /** How many files the index is behind on. */
  readonly behind: number;
}

async function indexedCode(code: CodeIndex, request: PackRequest, signal: AbortSignal): Promise<IndexedCode> {
  const query = { query: request.task.slice(0, 2000), limit: MOST_HITS };
  const found = await code.searchCode(request.root, query, signal);
  const owned = found.hits.filter(({ file }) => !isOwnedElsewhere(file.path));
  const prose = new Set(owned.filter(({ file }) => isProse(file.path)).slice(MOST_PROSE));
  const hits = owned.filter((hit) => !prose.has(hit));
  const collector = new CodeCollector(code, request.root);
  await collector.addHits(hits, signal);
  await collector.addTouched(request.changes, signal);
  for (const hit of hits.filter(isDeclared).slice(0, CENTRES)) await collector.addNeighbours(hit, signal);
  const items = collector.items();
  const quoted = new Set(items.map(({ sizes: [whole] }) => whole?.citation.path));
  const unquoted = new Set(found.behind.filter((path) => !quoted.has(path)));
  const changed = unquoted.size === 0 ? [] : await changedCode(request, unquoted, signal);
  return { items: [...items, ...changed], behind: found.behind.length };
}

const isDeclared = ({ symbol }: SearchHit) => symbol.kind !== "file" && symbol.kind !== "package";
