import { expect, test } from "vitest";
import { memoryRoom } from "../../../../tests/support/memory-room.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { findSimilar } from "./similar.ts";

const entry = (key: string, text: string): MemoryEntry => ({
  kind: "knowledge",
  key,
  path: `knowledge/${key}.md`,
  text,
  modifiedMs: 0,
});
const words = Array.from({ length: 100 }, (_, index) => `word${index}`);

test("a text with a few words changed is similar, another is not, and the nearest comes first", () => {
  const entries = [
    entry("far", words.toReversed().join(" ")),
    entry("near", words.with(50, "other").with(80, "other").join(" ")),
    entry("same", words.join("\n").toUpperCase()),
    entry("part", words.slice(0, 20).join(" ")),
  ];
  expect(findSimilar(words.join(" "), entries)).toEqual([
    { type: "knowledge", key: "same", similarity: 1 },
    { type: "knowledge", key: "near", similarity: 0.92 },
  ]);
});

test("an entry is not similar to itself, and an empty text to nothing", () => {
  expect(findSimilar("some text here", [entry("k", "some text here")], "knowledge/k.md")).toEqual([]);
  expect(findSimilar("", [entry("k", "")])).toEqual([]);
});

test("a short text in other order and form is similar, and one about something else is not", () => {
  const entries = [
    entry("database", "We use PostgreSQL as the database."),
    entry("cache", "We use Redis as the cache."),
  ];
  expect(findSimilar("We use Kafka as the queue", entries)).toEqual([]);
  expect(findSimilar("PostgreSQL is used as our main database", entries)).toMatchObject([
    { key: "database" },
  ]);
});

test("a person is asked before a new entry is written beside one that says nearly the same", async () => {
  using room = memoryRoom();
  const questions: string[] = [];
  const add = (key: string, isWanted: boolean) => {
    const confirm = async (plan: string) => {
      questions.push(plan);
      return isWanted;
    };
    const input = { key, content: "We use Node 22, PostgreSQL 16 and hono." };
    return room.call("context_add_knowledge", input, { caller: "person", confirm });
  };
  await add("stack", false);
  await add("stack", false);
  expect(questions).toEqual([]);
  await expect(add("tech", false)).rejects.toThrow("Nothing was written.");
  expect(await room.call("context_get", { dotpath: "knowledge" })).toEqual({ stack: expect.any(String) });
  expect(await add("tech", true)).toMatchObject({ key: "tech", created: true });
  expect(questions).toEqual(
    Array(2).fill("knowledge 'stack' says nearly the same. Give key 'stack' to update it."),
  );
});
