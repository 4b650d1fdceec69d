import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { memoryRoom } from "../../../../tests/support/memory-room.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { rankLines } from "./rank-lines.ts";

const entry = (key: string, text: string): MemoryEntry => ({
  kind: "knowledge",
  key,
  path: `knowledge/${key}.md`,
  text,
  modifiedMs: 0,
});

/** The rule as it is told, line by line. */
function plainly(entries: readonly MemoryEntry[], terms: readonly string[], limit: number) {
  return entries
    .flatMap(({ path, text }) =>
      text.split("\n").map((line, at) => {
        const lower = line.toLowerCase();
        const share = terms.filter((term) => lower.includes(term)).length / terms.length;
        const weight = (lower.trim().startsWith("#") ? 1.5 : 1) * (lower.includes(terms.join(" ")) ? 2 : 1);
        return { path, number: at + 1, score: Math.round(((share * weight) / 3) * 10_000) / 10_000 };
      }),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.number - b.number))
    .slice(0, limit);
}

const word = fc.constantFrom("auth", "author", "db", "the", "#", "# db", "Token", "to", "x-y", "");
const text = fc
  .array(
    fc.array(word, { maxLength: 4 }).map((words) => words.join(" ")),
    { maxLength: 5 },
  )
  .map((lines) => lines.join("\n"));

test("lines are ranked by their share of words, headings and the phrase, then by file and line", () => {
  const terms = fc.uniqueArray(fc.constantFrom("au", "auth", "db", "the", "to", "y"), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 6 }),
      fc.array(text, { maxLength: 3 }),
      terms,
      (before, after, asked) => {
        const first = before.map((one, at) => entry(`k${at}`, one));
        const second = [...first.slice(1), ...after.map((one, at) => entry(`${"ak"[at % 2]}${at}x`, one))];
        for (const entries of [first, second]) {
          const found = rankLines(entries, asked.join(" "), 5).map(({ entry: { path }, number, score }) => ({
            path,
            number,
            score,
          }));
          expect(found).toEqual(plainly(entries, asked, 5));
        }
      },
    ),
    { numRuns: 100 },
  );
});

test("hostile queries are answered like any other", async () => {
  using room = memoryRoom();
  await room.call("context_add_knowledge", { key: "k", content: "secret:x and (a+)+$" });
  for (const query of [
    '"',
    "NEAR(",
    "(a+)+$",
    "*",
    "'; DROP TABLE--",
    "x ".repeat(20_000),
    "\0",
    "(".repeat(3000),
  ]) {
    expect(Array.isArray(await room.call("context_search", { query }))).toBe(true);
  }
  expect(await room.call("context_search", { query: "(a+)+$" })).toMatchObject([{ key: "k" }]);
});

test.each([
  ['"Blue Whale"', [1]],
  ['"whale blue"', []],
  ['"to be or not to be"', [2]],
  ['"', [3]],
  ["cafe\u0301", [4]],
  ["istanbul", [5]],
  ["İSTANBUL", [5]],
])("%s finds lines %j", async (query, lines) => {
  using room = memoryRoom();
  const content = 'a blue whale\nwhale or not: to be or not to be blue\nan inch is 1"\ncafé\nİstanbul';
  await room.call("context_add_knowledge", { key: "k", content });
  const found = (await room.call("context_search", { query })) as { line: number }[];
  expect(found.map(({ line }) => line)).toEqual(lines);
});

test("hybrid search also finds an entry that says it in other words, after those that say it in these", async () => {
  using room = memoryRoom();
  await room.call("context_add_knowledge", {
    key: "login",
    content: "# Authentication\n\nUsers sign in with a password and a one-time code.",
  });
  await room.call("context_add_knowledge", { key: "color", content: "# Palette\n\nThe buttons are blue." });
  const found = await room.call("context_search", { query: "how does login work", mode: "hybrid" });
  expect(found).toMatchObject([{ key: "login", line: 1 }]);
  expect(await room.call("context_search", { query: "buttons are", mode: "hybrid" })).toMatchObject([
    { key: "color", score: 0.77 },
  ]);
});

test("changes on disk are found by the next search", async () => {
  using room = memoryRoom();
  await room.call("context_add_knowledge", { key: "k", content: "first" });
  expect(await room.call("context_search", { query: "second" })).toEqual([]);
  room.write("knowledge/k.md", "second");
  room.write("conventions/new.md", "the second");
  expect(await room.call("context_search", { query: "second" })).toMatchObject([
    { key: "new" },
    { key: "k" },
  ]);
});

test("a long line is shortened between characters, never within one", async () => {
  using room = memoryRoom();
  const start = `find${" it".repeat(165)}`;
  await room.call("context_add_knowledge", { key: "k", content: `${start}\u{1f600} and more` });
  expect(await room.call("context_search", { query: "find" })).toMatchObject([{ text: `${start}…` }]);
});

test("a question finds the entry that answers it, not one that shares its common words, and nonsense finds nothing", async () => {
  using room = memoryRoom();
  await room.call("context_record_decision", { title: "Use PostgreSQL", decision: "One store to operate." });
  await room.call("context_record_decision", {
    title: "Use drizzle",
    decision: "It is what types the queries.",
  });
  const found = await room.call("context_search", { query: "which database do we use", mode: "hybrid" });
  expect(found).toMatchObject([{ key: "0001-use-postgresql" }]);
  for (const query of ["zzzqqq xyzzy", "what is it to do"])
    expect(await room.call("context_search", { query, mode: "hybrid" })).toEqual([]);
});

test("an entry that nobody uses, and a decision that no longer holds, come after an equal one", async () => {
  const now = new Date("2026-01-01T00:00:00Z");
  using room = memoryRoom({ now: () => now });
  const text = "# Deploys run at noon";
  await room.call("context_add_knowledge", { key: "a", content: text });
  now.setFullYear(2027);
  await room.call("context_add_convention", { key: "b", content: text });
  const status = "**Status**: superseded";
  room.write("knowledge/decisions/0001-c.md", `# 0001 - Deploys run at noon\n\n${status}\n`);
  const found = await room.call("context_search", { query: "when do deploys run", mode: "hybrid" });
  expect(found).toMatchObject([{ key: "b" }, { key: "a" }, { key: "0001-c" }]);
});

test("asked for a choice, the decision in force comes before notes and before what it replaced, which is marked", async () => {
  using room = memoryRoom();
  await room.call("context_record_decision", { title: "Use MySQL for the shop", decision: "MySQL 8" });
  await room.call("context_record_decision", { title: "Use MariaDB for reports", decision: "MariaDB" });
  await room.call("context_record_decision", {
    title: "Use PostgreSQL for persistence",
    context: "Supersedes decision 2.",
    decision: "PostgreSQL 16 replaces MySQL.",
  });
  await room.call("context_add_knowledge", {
    key: "dumps",
    content: "# MySQL database dumps\n\nWe use the database of the old shop once a night.",
  });
  const ask = async (query: string) => {
    const found = await room.call("context_search", { query, mode: "hybrid" });
    const keys = z
      .array(z.object({ key: z.string(), past: z.boolean().optional() }))
      .parse(found)
      .map(({ key, past = false }) => `${key}${past ? ", past" : ""}`);
    return [...new Set(keys)];
  };
  const decided = ["0002-use-mariadb-for-reports, past", "0001-use-mysql-for-the-shop, past"];
  expect(await ask("which database do we use")).toEqual([
    "0003-use-postgresql-for-persistence",
    "dumps",
    ...decided,
  ]);
  expect((await ask("which db"))[0]).toBe("0003-use-postgresql-for-persistence");
});

test("of equal decisions the newest comes first, and a status may name what came after", async () => {
  using room = memoryRoom();
  const write = (file: string, status: string) =>
    room.write(`knowledge/decisions/${file}.md`, `# Deploys run at noon\n\n**Status**: ${status}\n`);
  write("0001-a", "accepted");
  write("0002-b", "Superseded by 0003");
  write("0003-c", "accepted");
  const found = await room.call("context_search", { query: "when do deploys run", mode: "hybrid" });
  expect(found).toMatchObject([{ key: "0003-c" }, { key: "0001-a" }, { key: "0002-b", past: true }]);
});
