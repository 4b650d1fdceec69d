import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import { openCodeIndex } from "../index.ts";

const signal = new AbortController().signal;

test("more projects can be searched at once than indexes are kept open", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  const roots = Array.from({ length: 12 }, (_, at) => join(project.root, "..", `copy${at}`));
  for (const root of roots) {
    cpSync(project.root, root, { recursive: true });
    await project.index({ path: root });
  }
  const asked = Array.from({ length: 3 }, (_, round) =>
    roots.map((path) => ({ path, query: `Alpha ${round}` })),
  );
  const found = await Promise.all(
    asked.flat().map(({ path, query }) => project.room.searchCode(path, { query, limit: 1 }, signal)),
  );
  expect(new Set(found.map(({ hits }) => hits[0]?.symbol.name))).toEqual(new Set(["Alpha"]));
});

test("searches continue while another room publishes new generations", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  await project.index();
  const reader = openCodeIndex(project.machine);
  let isDone = false;
  const searching = Array.from({ length: 8 }, async (_, searcher) => {
    const names = new Set<string | undefined>();
    for (let round = 0; !isDone; round++) {
      const query = `Alpha ${searcher} ${round}`;
      const [first] = (await reader.searchCode(project.root, { query, limit: 1 }, signal)).hits;
      names.add(first?.symbol.name);
    }
    return [...names];
  });
  for (let round = 0; round < 5; round++) await project.index({ force_reindex: true });
  isDone = true;
  expect(await Promise.all(searching)).toEqual(Array.from({ length: 8 }, () => ["Alpha"]));
  await reader.close();
});
