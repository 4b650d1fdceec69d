import { beforeEach, describe, expect, test } from "vitest";
import type { Filter, IndexedDocument, SearchIndex, SearchResult } from "./search-index.ts";

interface OpenedIndex {
  readonly index: SearchIndex;
  /** The same data seen by another process. */
  another(): SearchIndex;
  /** Runs writes that are then undone. */
  rolledBack(write: () => void): void;
}

/** What every adapter of the search index does, whatever engine is beneath it. */
export function searchIndexSuite(name: string, open: () => Promise<OpenedIndex>): void {
  describe(`search index on ${name}`, () => {
    let opened: OpenedIndex;
    beforeEach(async () => {
      opened = await open();
    });
    const found = async (query: string, filters: readonly Filter[] = [], index = opened.index) =>
      ids(await index.keyword({ query, limit: 10, filters }));

    test("a document that was put is found by its words, and not after it was deleted", async () => {
      await opened.index.put([page("a", "Opening a file for reading"), page("b", "Closing a socket")]);
      expect(await found("file")).toEqual(["a/0"]);
      expect(opened.index.delete(["a", "never there"])).toEqual(1);
      expect(await found("file")).toEqual([]);
      expect(opened.index.counts()).toMatchObject({ documents: 1, chunks: 1 });
    });

    test.each([
      "ParseFile",
      "parsefile",
      "ParseFil",
      "how is a file parsed",
      "close",
      "zebra",
      "Close the file",
    ])("no ranked hit scores higher than the upper bound of %j says", async (query) => {
      await opened.index.put([
        symbol("ParseFile", "parser/parser.go"),
        symbol("Close", "os/file_unix.go"),
        page("a", "Opening a file for reading", "parse it"),
        page("b", "Closing a socket"),
      ]);
      const request = { query, limit: 10, ranking: {} };
      for (const mode of ["hybrid", "keyword", "vector"] as const) {
        const { hits } = await opened.index[mode](request);
        const { most, hasName } = await opened.index.upperBound(request, mode);
        expect(most).toBeGreaterThanOrEqual(hits[0]?.score ?? 0);
        expect(hasName).toBe(/^(?:parsefile|close)$/i.test(query));
      }
      const words = await opened.index.upperBound(request, "keyword");
      expect(words.total).toBe((await opened.index.keyword({ query, limit: 10 })).total);
    });

    test("putting a document again replaces all of its chunks", async () => {
      await opened.index.put([page("a", "first words", "second words")]);
      await opened.index.put([page("a", "third words")]);
      expect(await found("first")).toEqual([]);
      expect(await found("words")).toEqual(["a/0"]);
      expect(opened.index.counts()).toMatchObject({ documents: 1, chunks: 1 });
    });

    test.each([
      "ParseFile",
      "parsefile",
      "parse",
      "file",
      "parse_file",
      "PARSE-FILE",
      "parser.ParseFile",
      "parsing files",
    ])("%s finds the function ParseFile", async (query) => {
      await opened.index.put([symbol("ParseFile", "parser/parser.go"), symbol("Close", "os/file_unix.go")]);
      expect((await found(query))[0]).toEqual("ParseFile");
    });

    test.each(['"', "AND", "a OR", "NEAR(", "x*", "col:y", "(", "''", "\\", "-", "^a", "", "\u0000", "💥"])(
      "a query is text, whatever it looks like: %j",
      async (query) => {
        await opened.index.put([page("a", "near or and not")]);
        const { hits } = await opened.index.hybrid({ query, limit: 5 });
        expect(hits.length).toBeLessThanOrEqual(1);
      },
    );

    test("exactly the name that was asked for is first, by words and in both, and its case decides between two", async () => {
      await opened.index.put([
        symbol("CloseAll", "a.go", "Close close Close close close"),
        symbol("close", "b.go", "close close close close"),
        symbol("Close", "c.go", "x"),
        symbol("File.Close", "d.go", "close close"),
      ]);
      expect((await found("Close")).slice(0, 3)).toEqual(["Close", "File.Close", "close"]);
      expect((await found("func Close"))[0]).toEqual("Close");
      const { hits } = await opened.index.hybrid({ query: "Close", limit: 10 });
      expect(hits[0]).toMatchObject({ chunkId: "Close", score: 1, keywordRank: 1 });
    });

    test("words: all of them first, any as needed; strict requests take only all", async () => {
      await opened.index.put([
        page("both", "red apple"),
        page("one", "red red red pear"),
        page("none", "blue sky"),
      ]);
      const search = async (words: "ranked" | "all-or-any" | "all", query: string) =>
        ids(await opened.index.keyword({ query, limit: 10, words }));
      expect(await search("ranked", "red apple")).toEqual(["both/0", "one/0"]);
      expect(await search("all-or-any", "red apple")).toEqual(["both/0"]);
      expect(await search("all-or-any", "red banana")).toEqual(["both/0", "one/0"].toSorted().toReversed());
      expect(await search("all", "red banana")).toEqual([]);
    });

    test("all the words may be asked of a document rather than of one chunk", async () => {
      await opened.index.put([page("split", "red", "apple"), page("other", "red")]);
      const search = async (within: "chunk" | "document") =>
        ids(await opened.index.keyword({ query: "red apple", limit: 10, words: "all", within }));
      expect(await search("chunk")).toEqual([]);
      expect((await search("document")).toSorted()).toEqual(["split/0", "split/1"]);
    });

    test("filters apply before candidates are cut", async () => {
      const many = Array.from({ length: 300 }, (_, number) =>
        page(`noise${number}`, "token token token token"),
      );
      await opened.index.put([
        ...many,
        { ...page("wanted", "one token among many other words here"), attributes: { kind: "rare" } },
      ]);
      const filters = [{ attribute: "kind", anyOf: ["rare"] }];
      for (const mode of ["keyword", "vector", "hybrid"] as const) {
        expect(ids(await opened.index[mode]({ query: "token", limit: 1, filters }))).toEqual(["wanted/0"]);
      }
    });

    test.each<[string, Filter, string[]]>([
      ["any of some values", { attribute: "lang", anyOf: ["go", "rust"] }, ["a/0", "b/0"]],
      ["any member of a list", { attribute: "tags", anyOf: ["x"] }, ["a/0", "c/0"]],
      ["all members of a list", { attribute: "tags", allOf: ["x", "y"] }, ["a/0"]],
      ["at least a number", { attribute: "size", atLeast: 2 }, ["b/0", "c/0"]],
      ["between two dates", { attribute: "day", atLeast: "2026-01-02", atMost: "2026-01-02" }, ["b/0"]],
      ["decided by the room", { attribute: "lang", where: (value) => value === undefined }, ["c/0"]],
      ["an attribute nobody has", { attribute: "nothing", anyOf: ["x"] }, []],
      ["a bound of another type", { attribute: "size", atLeast: "1" }, []],
    ])("a filter: %s", async (_name, filter, expected) => {
      await opened.index.put([
        { ...page("a", "word"), attributes: { lang: "go", tags: ["x", "y"], size: 1, day: "2026-01-01" } },
        { ...page("b", "word"), attributes: { lang: "rust", size: 2, day: "2026-01-02" } },
        { ...page("c", "word"), attributes: { tags: ["x"], size: 3, day: "2026-01-03" } },
      ]);
      expect((await found("word", [filter])).toSorted()).toEqual(expected);
    });

    test("a chunk's own attributes lie over its document's", async () => {
      const document = page("a", "word", "word");
      const [first, second] = document.chunks;
      if (!first || !second) throw new Error("two chunks");
      await opened.index.put([
        {
          ...document,
          attributes: { lang: "go" },
          chunks: [first, { ...second, attributes: { lang: "c" } }],
        },
      ]);
      expect(await found("word", [{ attribute: "lang", anyOf: ["c"] }])).toEqual(["a/1"]);
    });

    test("search by meaning finds what shares no word, and hybrid has both", async () => {
      await opened.index.put([page("cats", "kitten feline pet"), page("cars", "engine vehicle wheel")]);
      expect(ids(await opened.index.vector({ query: "cat", limit: 1 }))).toEqual(["cats/0"]);
      const { hits, model } = await opened.index.hybrid({ query: "cat and automobile engine", limit: 2 });
      expect(hits.map((hit) => hit.chunkId).toSorted()).toEqual(["cars/0", "cats/0"]);
      expect(model).toEqual("static");
    });

    test("the first question by meaning, which keeps no vectors, has the answer of later ones", async () => {
      const pages = Array.from({ length: 40 }, (_, number) =>
        page(`p${number}`, `cat number ${number}`, `stone ${number % 3}`),
      );
      const ask = (index: SearchIndex) => index.vector({ query: "a feline animal", limit: 90 });
      await opened.index.put(pages.slice(0, 3));
      await opened.index.put(pages.slice(3));
      await opened.index.put([page("last", "a kitten")]);
      opened.index.delete(["p5"]);
      const later = opened.another();
      await later.vector({ query: "stone", limit: 1 });
      const first = await ask(opened.another());
      expect(first).toMatchObject({ total: 79, hits: [{ chunkId: "last/0" }, ...Array(78).fill({})] });
      expect(await ask(later)).toEqual(first);
      await opened.index.put(pages.slice(0, 9));
      expect(await ask(later)).toEqual(await ask(opened.another()));
    });

    test("scores are within bounds and never rise along the hits", async () => {
      await opened.index.put(
        Array.from({ length: 40 }, (_, number) =>
          page(`p${number}`, `${"token ".repeat(number % 7)} file number${number}`),
        ),
      );
      for (const mode of ["keyword", "vector", "hybrid"] as const) {
        const { hits } = await opened.index[mode]({ query: "token file number7", limit: 40 });
        const scores = hits.map((hit) => hit.score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.every((score) => score >= 0 && score <= 1)).toEqual(true);
      }
    });

    test("a text is read only if it has the words inside what the question quotes", async () => {
      const texts = ["cannot parse the duration here", "parse here", "the duration of a parse", "here it is"];
      await opened.index.put([page("a", ...texts)]);
      const read: string[] = [];
      const textOf = (id: string) => {
        read.push(id);
        return texts[Number(id.split("/")[1])] ?? "";
      };
      const query = '"parse the duration here"';
      const { hits } = await opened.index.keyword({ query, limit: 4, ranking: { textOf, explain: true } });
      expect(read).toEqual(["a/0", "a/2"]);
      const lifted = hits.filter(({ steps = [] }) => steps.some(({ step }) => step === "phrase"));
      expect(lifted.map(({ chunkId }) => chunkId)).toEqual(["a/0"]);
    });

    test("a share of meaning of 0 is the order of words, of 1 that of meaning", async () => {
      await opened.index.put([
        page("a", "cat"),
        page("b", "kitten cat dog"),
        page("c", "a feline animal"),
        page("d", "stone"),
      ]);
      const order = async (meaning: number) =>
        ids(await opened.index.hybrid({ query: "cat animal", limit: 4, ranking: { weights: { meaning } } }));
      expect((await order(0)).slice(0, 3)).toEqual(
        ids(await opened.index.keyword({ query: "cat animal", limit: 4 })),
      );
      expect(await order(1)).toEqual(ids(await opened.index.vector({ query: "cat animal", limit: 4 })));
    });

    test("the answer does not depend on the order or the number of puts, nor on vacuum", async () => {
      const pages = Array.from({ length: 60 }, (_, number) =>
        page(`p${number}`, `alpha ${"beta ".repeat(number % 5)} gamma${number % 9}`),
      );
      const answer = async (index: SearchIndex) =>
        (await index.hybrid({ query: "alpha beta gamma3", limit: 30 })).hits.map(({ chunkId, score }) => [
          chunkId,
          score,
        ]);
      await opened.index.put(pages);
      const expected = await answer(opened.index);
      const other = await open();
      for (const single of pages.toReversed()) await other.index.put([single]);
      await other.index.put([page("gone", "alpha beta gamma3")]);
      other.index.delete(["gone"]);
      expect(await answer(other.index)).toEqual(expected);
      other.index.vacuum();
      expect(await answer(other.index)).toEqual(expected);
      expect(other.index.counts()).toMatchObject({ documents: 60, chunks: 60, segments: 1 });
    });

    test("another process sees a change once it is committed, and nothing of one that was undone", async () => {
      const reader = opened.another();
      await opened.index.put([page("a", "first")]);
      expect(await found("first", [], reader)).toEqual(["a/0"]);
      const before = reader.generation();
      opened.rolledBack(() => void opened.index.delete(["a"]));
      expect(await found("first", [], reader)).toEqual(["a/0"]);
      expect(await found("first")).toEqual(["a/0"]);
      await opened.index.put([page("b", "second first")]);
      expect((await found("first", [], reader)).toSorted()).toEqual(["a/0", "b/0"]);
      expect(reader.generation()).toBeGreaterThan(before);
    });

    test("total counts what matched before the limit", async () => {
      await opened.index.put(Array.from({ length: 20 }, (_, number) => page(`p${number}`, "word")));
      expect(await opened.index.keyword({ query: "word", limit: 3 })).toMatchObject({
        total: 20,
        hits: { length: 3 },
      });
    });

    test("an empty index answers with nothing, and says why there is nothing by meaning", async () => {
      expect(await opened.index.hybrid({ query: "word", limit: 3 })).toMatchObject({ hits: [], total: 0 });
      await expect(opened.index.vector({ query: "word", limit: 3 })).rejects.toMatchObject({
        code: "unavailable",
      });
      opened.index.vacuum();
      expect(opened.index.counts()).toMatchObject({ documents: 0, chunks: 0, segments: 0 });
    });

    test("a flood of searches leaves turns to timers", async () => {
      await opened.index.put([page("a", "word")]);
      let isDone = false;
      let turns = 0;
      const tick = () => {
        turns++;
        if (!isDone) setTimeout(tick, 0);
      };
      setTimeout(tick, 0);
      const flood = Array.from({ length: 300 }, () => opened.index.keyword({ query: "word", limit: 1 }));
      await Promise.all(
        flood.map(async (search, number) =>
          number === 299 ? search.finally(() => (isDone = true)) : search,
        ),
      );
      for (let more = 0; more < 20; more++) await opened.index.keyword({ query: "word", limit: 1 });
      expect(turns).toBeGreaterThan(0);
    });

    test("an aborted search throws the signal's reason", async () => {
      const signal = AbortSignal.abort(new Error("enough"));
      await expect(opened.index.keyword({ query: "word", limit: 1, signal })).rejects.toThrow("enough");
    });

    test("clear leaves nothing behind", async () => {
      await opened.index.put([page("a", "word")]);
      opened.index.clear();
      expect(await found("word")).toEqual([]);
      expect(opened.index.counts()).toMatchObject({ documents: 0, chunks: 0, models: [] });
    });
  });
}

const ids = ({ hits }: SearchResult): string[] => hits.map((hit) => hit.chunkId);

/** A document of plain paragraphs. */
export const page = (id: string, ...paragraphs: string[]): IndexedDocument => ({
  id,
  path: "",
  attributes: {},
  chunks: paragraphs.map((body, number) => ({
    id: `${id}/${number}`,
    title: "",
    doc: "",
    body,
    embedText: body,
    attributes: {},
  })),
});

const symbol = (name: string, path: string, body = "return nil"): IndexedDocument => ({
  id: `${path}#${name}`,
  path,
  attributes: {},
  chunks: [{ id: name, title: name, doc: "", body, embedText: `${name} ${body}`, attributes: {} }],
});
