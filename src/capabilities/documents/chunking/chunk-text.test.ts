import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkText } from "./chunk-text.ts";

const texts = (text: string, maxTokens: number, overlapTokens = 0) =>
  chunkText(text, { maxTokens, overlapTokens }).map((chunk) => chunk.text);
const bytes = (text: string) => Buffer.byteLength(text);

/** Lines of documents: headings, prose, code, lists, blank lines, characters of several widths. */
const line = fc.oneof(
  fc.constantFrom("", "", "# Title", "## Part", "```", "- item one", "\tindented"),
  fc.stringMatching(/^[a-z ,.]{0,80}$/),
  fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, "")),
);
const documents = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));

describe("laws", () => {
  test("chunks without overlap join to the text, except for white space between them", () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 4, max: 60 }), (text, maxTokens) => {
        const squeezed = (all: string) => all.replace(/\s+/g, "");
        expect(squeezed(texts(text, maxTokens).join(""))).toBe(squeezed(text));
      }),
      { numRuns: 200 },
    );
  });

  test("no chunk exceeds the limit, with or without overlap", () => {
    fc.assert(
      fc.property(
        documents,
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (text, maxTokens, overlap) => {
          for (const chunk of texts(text, maxTokens, overlap)) {
            expect(bytes(chunk)).toBeLessThanOrEqual(maxTokens * 4);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test("every chunk is a range of the text, and no character is split", () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 4, max: 30 }), fc.nat(20), (text, maxTokens, overlap) => {
        for (const chunk of texts(text, maxTokens, overlap)) {
          expect(text).toContain(chunk);
          expect(Buffer.from(chunk, "utf8").toString("utf8")).toBe(chunk);
        }
      }),
      { numRuns: 100 },
    );
  });
});

test("blank text is one empty chunk", () => {
  expect([texts("", 100), texts(" \n\n \t \n", 100)]).toEqual([[""], [""]]);
});

test("paragraphs are joined while they fit", () => {
  expect(texts("aaaa bbbb cccc dddd\n\neeee\n\nffff gggg", 5)).toEqual([
    "aaaa bbbb cccc dddd",
    "eeee\n\nffff gggg",
  ]);
});

test("a heading starts a new chunk if the current one is half full, and is never the end of a chunk", () => {
  const text = `# One\n\n${"first ".repeat(15)}\n\n## Two\n\n${"second ".repeat(10)}\n\n## Three\n\n${"third ".repeat(20)}`;
  const chunks = chunkText(text, { maxTokens: 40, overlapTokens: 0 });
  expect(chunks.map(({ text: chunk, trail }) => [chunk.split("\n")[0], trail])).toEqual([
    ["# One", ["One"]],
    ["## Two", ["One", "Two"]],
    ["## Three", ["One", "Three"]],
  ]);
});

test("a fenced block stays whole if it fits, and headings inside it do not count", () => {
  const text = "Intro.\n\n```sh\n# not a heading\n\nmake\n```\n\nAfter.";
  expect(chunkText(text, { maxTokens: 100, overlapTokens: 0 })).toEqual([{ text, trail: [] }]);
  expect(texts(text, 9)[1]).toBe("```sh\n# not a heading\n\nmake\n```");
});

test("overlap repeats the end of the chunk before, from the start of a word", () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
  const chunks = texts(words, 20, 5);
  for (const [index, chunk] of chunks.entries()) {
    const [first = ""] = chunk.split(" ");
    expect(words.split(" ")).toContain(first);
    if (index > 0) expect(chunks[index - 1]?.split(" ")).toContain(first);
  }
  expect(chunks.length).toBeGreaterThan(3);
});

test("a paragraph above the limit is cut at a line, else at a space, else between characters", () => {
  expect(texts("one two three\nfour five six seven", 5)).toEqual(["one two three", "four five six seven"]);
  expect(texts("one two three four five six", 3)).toEqual(["one two", "three four", "five six"]);
  expect(texts("ééééééééé", 1)).toEqual(["éé", "éé", "éé", "éé", "é"]);
  expect(texts("😀😀😀", 1)).toEqual(["😀", "😀", "😀"]);
});

describe("chunking takes linear time", () => {
  test.each([
    ["headings only", "# a\n".repeat(400_000)],
    ["headings with a text after the last", `${"# a\n".repeat(400_000)}end`],
    ["one word", "a".repeat(60_000_000)],
  ])("%s", (_name, text) => {
    expect(chunkText(text, { maxTokens: 400, overlapTokens: 80 }).length).toBeGreaterThan(1_000);
  });
});
