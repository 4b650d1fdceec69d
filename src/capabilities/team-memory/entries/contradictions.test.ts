import { expect, test } from "vitest";
import { memoryRoom } from "../../../../tests/support/memory-room.ts";

test.each([
  ["We store sessions in MySQL.", ["Use PostgreSQL"]],
  ["Sessions are in Postgres, moved from MySQL.", []],
  ["MongoDB replaces PostgreSQL.", ["Use PostgreSQL"]],
  ["Do not use PostgreSQL for logs.", ["Use PostgreSQL"]],
  ["Styles are written with Tailwind.", ["No Tailwind"]],
  ["Tailwind was rejected; never use Tailwind.", []],
  ["Browser tests run in Cypress", ["Playwright instead of Cypress"]],
  ["Browser tests run in Playwright", []],
  ["The rest of the page is loaded later.", []],
])("%s goes against %j", async (content, titles) => {
  using room = memoryRoom();
  for (const title of ["Use PostgreSQL", "No Tailwind", "Playwright instead of Cypress"]) {
    await room.call("context_record_decision", { title });
  }
  room.write("knowledge/decisions/0009-mongodb.md", "# 0009 - Use MongoDB\n\n**Status**: superseded\n");
  const added = await room.call("context_add_knowledge", { key: "k", content });
  const { contradicts = [] } = added as { contradicts?: { title: string }[] };
  expect(contradicts.map(({ title }) => title)).toEqual(titles);
});
