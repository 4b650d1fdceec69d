import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { modelsDirectory } from "./models-directory.ts";
import { WordPieces } from "./word-pieces.ts";

const vocabulary = readFileSync(join(modelsDirectory(), "vocab.txt"), "utf8");
const lines = vocabulary.trimEnd().split("\n");

test("a piece has the number of its line, among the first that are asked for as among many", () => {
  const pieces = new WordPieces(vocabulary);
  const places = lines.flatMap((line, place) => (/^[a-z]{2,}$/.test(line) ? [place] : []));
  // The first hundred are looked for in the text, the others in a table.
  const asked = [...places.slice(0, 20), ...places.slice(-200)];
  expect(asked.map((place) => pieces.ofWord(lines[place] ?? ""))).toEqual(asked.map((place) => [place]));
  expect(pieces.size).toBe(lines.length);
});

test("a word is cut into the same pieces at the first question as at the last", () => {
  const words = ["unindexable", "kubelet", "durations", "zzqqxx", "naïve", "\u{1F600}"];
  const pieces = new WordPieces(vocabulary);
  const first = words.map((word) => pieces.ofWord(word));
  for (const line of lines.slice(2000, 2200)) pieces.ofWord(line);
  expect(words.map((word) => pieces.ofWord(word))).toEqual(first);
  expect(first.map((numbers) => numbers.map((number) => lines[number]))).toContainEqual(["duration", "##s"]);
});

test("a vocabulary without a last line end has the same pieces", () => {
  const pieces = new WordPieces("[UNK]\na\n##b");
  expect([pieces.size, pieces.unknown, pieces.ofWord("ab"), pieces.ofWord("b")]).toEqual([3, 0, [1, 2], []]);
});
