import { DomainError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import type { Embeddings } from "./embedders/embeddings.ts";
import { IndexView } from "./index-view.ts";
import { KeywordScorer } from "./keyword.ts";
import { documentsWithTerm } from "./name-lookup.ts";
import { prepareDocuments } from "./prepare.ts";
import { QueryVectors } from "./query-vectors.ts";
import { searchRanked, upperBoundOf } from "./ranked-search.ts";
import type { SearchIndex, SearchRequest } from "./search-index.ts";
import { searchHybrid, searchKeyword, searchVector } from "./searches.ts";
import { merge } from "./segments/merge.ts";
import { mergeable, untidy } from "./segments/mergeable.ts";
import type { IndexSegment } from "./segments/segment.ts";
import { SegmentWriter } from "./segments/segment-writer.ts";
import { tablesOf } from "./segments/tables.ts";
import { literalMemberTerm } from "./text/names.ts";
import { termsOf } from "./text/terms.ts";
import { upgrade } from "./upgrade.ts";

interface SearchIndexOptions {
  /** The room's own; its migrations include `searchMigrations(name)`. Read-only is enough for searching. */
  readonly store: Store;
  /** Lower-case letters, digits and `_`: begins the names of the tables. */
  readonly name: string;
  readonly embeddings: Embeddings;
}

/** The index in SQLite. Opening reads nothing. */
export function openSearchIndex({ store, name, embeddings }: SearchIndexOptions): SearchIndex {
  const tables = tablesOf(name);
  const view = new IndexView(store, tables);
  const writer = new SegmentWriter(store, tables);
  const ground = { view, scorer: new KeywordScorer(view) };
  const queryVectors = new QueryVectors(view, embeddings);

  /** A view that is not kept: within a transaction that may yet be rolled back nothing may be remembered. */
  const freshView = () => {
    const fresh = new IndexView(store, tables);
    fresh.refresh();
    return fresh;
  };
  const compact = (choose: (segments: readonly IndexSegment[]) => readonly (readonly IndexSegment[])[]) => {
    const fresh = freshView();
    for (const chosen of choose(fresh.segments)) {
      const merged = merge(fresh, chosen);
      writer.drop(chosen.map((segment) => segment.number));
      if (merged.chunkCount > 0) writer.add(merged);
    }
  };
  /** A turn of the event loop before each search: a flood of them must not starve timers and other calls. */
  const search = async <T>(request: SearchRequest, run: () => T): Promise<T> => {
    await new Promise((resume) => setImmediate(resume));
    request.signal?.throwIfAborted();
    return store.snapshot(() => {
      view.refresh();
      return run();
    });
  };

  const index: SearchIndex = {
    async put(documents) {
      const quick = await embeddings.quick();
      index.putPrepared(prepareDocuments(documents, quick));
    },
    putPrepared: ({ vectors, ...batch }) =>
      store.transaction(() => {
        writer.add({ ...batch, vectors: vectors ? [vectors] : [] });
        compact(mergeable);
      }),
    delete: (documentIds) => writer.remove(documentIds),
    clear: () => writer.clear(),
    keyword: (request) =>
      search(request, () => {
        const { ranking } = request;
        if (!ranking) return searchKeyword(ground, request);
        return searchRanked({ ...ground, asked: undefined, useWords: true }, request, ranking);
      }),
    async vector(request) {
      const asked = await queryVectors.of(request);
      if (!asked.vector) throw new DomainError("unavailable", asked.problem, { reason: "no_vectors" });
      return search(request, () => {
        const { ranking } = request;
        if (!ranking) return searchVector(ground, asked, request);
        return searchRanked({ ...ground, asked, useWords: false }, request, ranking);
      });
    },
    async hybrid(request) {
      const asked = await queryVectors.of(request);
      return search(request, () => {
        const { ranking } = request;
        if (!ranking) return searchHybrid(ground, asked, request);
        return searchRanked({ ...ground, asked, useWords: true }, request, ranking);
      });
    },
    async upperBound(request, mode) {
      const asked = mode === "keyword" ? undefined : await queryVectors.of(request);
      return search(request, () => upperBoundOf({ ...ground, asked, useWords: mode !== "vector" }, request));
    },
    generation: () => view.storedGeneration(),
    documentsWith: (word, isName = false) =>
      store.snapshot(() => {
        view.refresh();
        return documentsWithTerm(view, isName ? literalMemberTerm(word) : (termsOf(word)[0] ?? ""));
      }),
    counts: () => store.snapshot(() => freshView().counts()),
    async status() {
      await embeddings.quick();
      const active = await queryVectors.active();
      return { counts: index.counts(), active: active?.identity.id, problems: embeddings.problems() };
    },
    vacuum: () => store.transaction(() => compact(untidy)),
    upgrade: (options) => upgrade({ view, writer, embeddings, options }),
  };
  return index;
}
