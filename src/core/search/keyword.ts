import type { IndexView } from "./index-view.ts";
import { BODY_SHIFT, FIELD } from "./postings/postings-builder.ts";
import type { Candidates } from "./ranking.ts";
import { ScoreBoard, type ScoredGroup } from "./score-board.ts";
import type { SearchRequest } from "./search-index.ts";
import type { ParsedQuery, QueryGroup } from "./text/query.ts";

/**
 * Chosen on the evaluation's tuning half; see eval/README.md. Up to `allFirst` words, chunks with all of them come before
 * the rest; in a longer question having all is worth `allWords` more.
 */
export const KEYWORD_TUNING = {
  k1: 2,
  b: 0.85,
  title: 5,
  doc: 1.5,
  path: 1,
  body: 1,
  allWords: 0.15,
  allFirst: 3,
};
const EXACT_BONUS = 1e6;
const ALL_WORDS_BONUS = 1e4;
/** So that an exact name without any word of its own still counts as found. */
const LEAST = 1e-6;
const MAX_REQUIRED = 31;

export interface KeywordScores {
  /** The chunks that match, with what to sort them by: exact names first, then all the words, then by score. Until the next query. */
  readonly candidates: Candidates;
  /** BM25 of the chunk, without what puts exact names first. */
  scoreOf(ordinal: number): number;
  /** In [0, 1], the share of the best score this query could have. */
  share(ordinal: number): number;
  /** Above 0 where the title is exactly what was asked for; higher is more exactly so. */
  exactTier(ordinal: number): number;
}

/**
 * BM25 over four weighted fields, for every chunk that passes: lists are packed and decoded in one go, so nothing is
 * approximated and nothing cut before it is scored.
 */
export class KeywordScorer {
  readonly #view: IndexView;
  readonly #board = new ScoreBoard(fieldWeights());
  /** The candidates of the last query: common words are in most chunks, so the room is kept. */
  #ordinals = new Uint32Array(0);
  #scores = new Float64Array(0);

  constructor(view: IndexView) {
    this.#view = view;
  }

  score(
    query: ParsedQuery,
    mask: Uint8Array,
    request: Pick<SearchRequest, "words" | "within">,
  ): KeywordScores {
    const board = this.#board;
    board.start(this.#view.size);
    const required = query.groups.filter((group) => group.isRequired).slice(0, MAX_REQUIRED);
    let most = 0;
    for (const [index, group] of query.groups.entries()) {
      const place = required.indexOf(group);
      most += this.#addGroup(group, { number: index + 1, bit: place < 0 ? 0 : 1 << place }, mask);
    }
    const exact = this.#exactTiers(query, mask);
    for (const ordinal of exact.keys()) board.touch(ordinal);
    return {
      candidates: this.#rank(exact, required.length, request),
      scoreOf: (ordinal) => board.score(ordinal),
      share: (ordinal) =>
        exact.has(ordinal) ? 1 : Math.sqrt(Math.min(1, board.score(ordinal) / Math.max(most, 1e-9))),
      exactTier: (ordinal) => exact.get(ordinal) ?? 0,
    };
  }

  /** Gives the most this group could have scored. */
  #addGroup(group: QueryGroup, place: ScoredGroup, mask: Uint8Array): number {
    const passing = { mask, norms: this.#view.lengthNorms(KEYWORD_TUNING) };
    let most = 0;
    for (const { term, weight } of group.variants) {
      const lists = this.#view.postings(term);
      const factor = this.#idf(lists) * weight * (KEYWORD_TUNING.k1 + 1);
      most = Math.max(most, factor);
      for (const [index, postings] of lists.entries()) {
        this.#board.add({ postings, base: this.#view.base(index), factor }, place, passing);
      }
    }
    return most;
  }

  /** By what lives in the whole index, whatever the filters: a score must not change with them. */
  #idf(lists: readonly Uint32Array[]): number {
    let chunks = 0;
    for (const [index, list] of lists.entries()) {
      const segment = this.#view.segments[index];
      if (!segment) continue;
      if (segment.live === segment.chunks) chunks += list.length;
      else for (const posting of list) if (segment.isLive(posting >>> 8)) chunks++;
    }
    return Math.log(1 + (this.#view.live - chunks + 0.5) / (chunks + 0.5));
  }

  #exactTiers(query: ParsedQuery, mask: Uint8Array): Map<number, number> {
    const tiers = new Map<number, number>();
    for (const { term, tier, implies } of query.exactTerms) {
      if (implies !== undefined && !this.#view.hasPostings(implies)) continue;
      for (const [index, list] of this.#view.postings(term).entries()) {
        for (const posting of list) {
          const ordinal = this.#view.base(index) + (posting >>> 8);
          if (mask[ordinal] !== 0) tiers.set(ordinal, Math.max(tier, tiers.get(ordinal) ?? 0));
        }
      }
    }
    return tiers;
  }

  #rank(
    exact: ReadonlyMap<number, number>,
    required: number,
    { words = "ranked", within = "chunk" }: Pick<SearchRequest, "words" | "within">,
  ): Candidates {
    const all = 2 ** required - 1;
    const { touched, found } = this.#board;
    const complete = within === "document" ? this.#acrossDocuments(found) : found;
    const isStrict =
      words === "all" || (words === "all-or-any" && touched.some((ordinal) => complete[ordinal] === all));
    const allBonus = words !== "ranked" || required <= KEYWORD_TUNING.allFirst ? ALL_WORDS_BONUS : 0;
    if (this.#scores.length !== this.#view.size) {
      this.#ordinals = new Uint32Array(this.#view.size);
      this.#scores = new Float64Array(this.#view.size);
    }
    const [ordinals, scores] = [this.#ordinals, this.#scores];
    let count = 0;
    for (let at = 0; at < touched.length; at++) {
      const ordinal = touched[at] ?? 0;
      const isAll = complete[ordinal] === all;
      if (isStrict && !isAll) continue;
      const score = this.#board.score(ordinal);
      const weighted = isAll ? allBonus + score * (1 + KEYWORD_TUNING.allWords) : score;
      ordinals[count] = ordinal;
      scores[count++] = (exact.size > 0 ? (exact.get(ordinal) ?? 0) * EXACT_BONUS : 0) + weighted + LEAST;
    }
    return { ordinals: ordinals.subarray(0, count), scores: scores.subarray(0, count) };
  }

  /** What is found in any chunk of a document, for each of its chunks. */
  #acrossDocuments(found: Uint32Array): Uint32Array {
    const together = new Uint32Array(found.length);
    for (const [index, segment] of this.#view.segments.entries()) {
      const base = this.#view.base(index);
      const starts = segment.documentStarts();
      for (let document = 0; document + 1 < starts.length; document++) {
        const from = base + (starts[document] ?? 0);
        const to = base + (starts[document + 1] ?? 0);
        let all = 0;
        for (let ordinal = from; ordinal < to; ordinal++) all |= found[ordinal] ?? 0;
        together.fill(all, from, to);
      }
    }
    return together;
  }
}

/** A posting's mark as a weighted count of the term. */
function fieldWeights(): Float32Array {
  const { title, doc, path, body } = KEYWORD_TUNING;
  return Float32Array.from(
    { length: 256 },
    (_, mark) =>
      (mark & FIELD.title ? title : 0) +
      (mark & FIELD.doc ? doc : 0) +
      (mark & FIELD.path ? path : 0) +
      (mark >> BODY_SHIFT) * body,
  );
}
