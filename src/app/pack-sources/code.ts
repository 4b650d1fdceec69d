import type { CodeHits, SearchHit } from "../../capabilities/code-index/index.ts";
import {
  type Gathered,
  isAboutTests,
  type PackItem,
  type PackRequest,
} from "../../capabilities/packs/index.ts";
import { DomainError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { CodeCollector } from "./code-collector.ts";
import { type ScoredHit, scoreHits } from "./hit-scores.ts";
import { NO_RELEVANT_CODE, type PackedCode, wordsOfTask } from "./pack-task.ts";
import { isOwnedElsewhere, isProse } from "./text-files.ts";
import { changedCode, unindexedCode } from "./unindexed-code.ts";

/** How many hits are searched for: a larger budget has room for more. */
const TOKENS_PER_HIT = 100;
const LEAST_HITS = 80;
const MOST_HITS = 200;
/** The documents room finds prose better; if it has these files too, ours are duplicates. */
const MOST_PROSE = 5;
/** How many of the best hits also get their neighbours. */
const CENTRES = 4;
const TOUCHED_CENTRES = 12;
/** Who uses a changed symbol scores as high as the symbol: 0.7, and 0.9 what tests it. */
const TOUCHED_SCORE = 1.75;
/** Tests cover a change through at most this many calls. */
const TEST_DEPTH = 3;
/**
 * A search spreads over files; an edit is often in several functions of one, so further hits of a file count in full, and
 * none gets a bonus for standing for its file: what was found in a file counts later. Relevance is judged here.
 */
const TASK_WEIGHTS = { saturation: 1, coherence: 0, floor: 0 } as const;
/** A task that mentions tests or docs asks for code all the same. */
const ASKED_KIND = 0.3;
/** Share of the task's words that one of the hits must have; of a long task, so many are enough. */
const KNOWN_WORDS = 1 / 3;
const ENOUGH_WORDS = 2;
/**
 * How relevant the best hit must be if the bundled model took part: lower than the floor of a question, because any code has
 * a small share of a long task. With others the search has a floor of its own.
 */
const LEAST_RELEVANCE = 0.22;
const BUNDLED_MODEL = "static";
/** Share of the best relevance that a hit without a word of the task must have. */
const SURELY_ALIKE = 0.6;
/** With fewer hits, how rare a word is says nothing, and relevance little: the words of the task may be in all of the code. */
const ENOUGH_HITS = LEAST_HITS;

/** Code for the task: search hits, what is next to the best of them, and what a change touches. */
export async function gatherCode(
  code: PackedCode,
  request: PackRequest,
  signal: AbortSignal,
): Promise<Gathered> {
  try {
    const { items, behind } = await indexedCode(code, request, signal);
    // A hash of the items, not the generation of the index: that differs between machines.
    const state = sha256(JSON.stringify(items));
    const empty = behind > 0 ? { reason: whyBehind(behind) } : NO_RELEVANT_CODE;
    return { items, state, ...((behind > 0 || items.length === 0) && { empty }) };
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

async function indexedCode(
  code: PackedCode,
  request: PackRequest,
  signal: AbortSignal,
): Promise<IndexedCode> {
  const limit = clamp(Math.round(request.budget / TOKENS_PER_HIT), LEAST_HITS, MOST_HITS);
  const weights = { ...TASK_WEIGHTS, ...(!isAboutTests(request.task) && { askedKind: ASKED_KIND }) };
  const query = { query: request.task.slice(0, 2000), limit, weights };
  const found = await code.searchCode(request.root, query, signal);
  const words = wordsOfTask(request.task);
  const owned = found.hits.filter(({ file }) => !isOwnedElsewhere(file.path));
  const prose = new Set(owned.filter(({ file }) => isProse(file.path)).slice(MOST_PROSE));
  const hits = relevantHits(owned, words, leastRelevance(found)).filter((hit) => !prose.has(hit));
  const collector = new CodeCollector(code, request.root, words);
  const scored = scoreHits(hits, request.task);
  await collector.addHits(scored, signal);
  const touched = await collector.addTouched(request.changes, signal);
  const changedCentres = touched
    .slice(0, TOUCHED_CENTRES)
    .map((symbol) => ({ ...symbol, score: TOUCHED_SCORE }));
  await collector.addNeighbours(changedCentres, { testDepth: TEST_DEPTH, isChange: true }, signal);
  const centres = scored.filter(({ hit }) => isDeclared(hit)).slice(0, CENTRES);
  await collector.addNeighbours(centres.map(centreOf), { testDepth: 1, isChange: false }, signal);
  const items = collector.items();
  const quoted = new Set(items.map(({ sizes: [whole] }) => whole?.citation.path));
  const unquoted = new Set(found.behind.filter((path) => !quoted.has(path)));
  const changed = unquoted.size === 0 ? [] : await changedCode(request, unquoted, signal);
  return { items: [...items, ...changed], behind: found.behind.length };
}

const centreOf = ({ hit: { file, symbol }, score }: ScoredHit) => ({
  path: file.path,
  name: symbol.name,
  line: file.start_line,
  score,
});

const isDeclared = ({ symbol }: SearchHit) => symbol.kind !== "file" && symbol.kind !== "package";

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

function leastRelevance({ hits, model }: CodeHits): number {
  return hits.length >= ENOUGH_HITS && model === BUNDLED_MODEL ? LEAST_RELEVANCE : 0;
}

/**
 * Leaves out hits that only a model likens to the task. If no hit is relevant enough, or none has enough of its words, the
 * task is about something else; a hit without any is kept only if it is about as good as the best.
 */
function relevantHits(hits: readonly SearchHit[], words: readonly string[], least: number): SearchHit[] {
  const texts = hits.map(textOf);
  const counts = texts.map((text) => words.filter((word) => text.includes(word)).length);
  if (Math.max(0, ...counts) < Math.min(ENOUGH_WORDS, Math.max(1, words.length * KNOWN_WORDS))) return [];
  const best = hits.reduce((most, { relevance_score }) => Math.max(most, relevance_score), 0);
  if (best < least) return [];
  return hits.filter((hit, at) => (counts[at] ?? 0) > 0 || hit.relevance_score >= best * SURELY_ALIKE);
}

const textOf = ({ file, symbol, content }: SearchHit): string =>
  `${file.path} ${symbol.name} ${content}`.toLowerCase();
