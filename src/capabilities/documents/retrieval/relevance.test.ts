import { expect, test } from "vitest";
import { byRelevance } from "./relevance.ts";

const TEXTS = {
  old: "waterBeds waters beds. @deprecated Use sprinkleBeds.",
  new: "sprinkleBeds waters beds.",
};

const orderFor = async (query: string, isAskedFor = false) => {
  const documentOf = (documentId: string, score: number) => ({
    documentId,
    chunkId: "1",
    keywordScore: score,
    semanticScore: 0,
    score,
    words: score,
    cosine: 0,
    isAskedFor: isAskedFor && documentId === "new",
  });
  const ranked = [documentOf("old", 1), documentOf("new", 0.9)];
  const textOf = ({ documentId }: { documentId: string }) => ({
    title: "",
    text: documentId === "old" ? TEXTS.old : TEXTS.new,
  });
  const judged = await byRelevance(
    { query, mode: "keyword", alpha: 0.6, ranked, limit: 10, textOf },
    async () => [1, 1],
  );
  return judged.map(({ documentId }) => documentId);
};

test("what is deprecated stands behind the rest, unless it is asked for", async () => {
  expect(await orderFor("water beds")).toEqual(["new", "old"]);
  expect(await orderFor("deprecated ways to water beds")).toEqual(["old", "new"]);
});

test("of two documents that answer alike, the one whose topic is asked for comes first", async () => {
  const query = "deprecated ways to water beds";
  expect([await orderFor(query), await orderFor(query, true)]).toEqual([
    ["old", "new"],
    ["new", "old"],
  ]);
});
