import { expect, test } from "vitest";
import { packsProject, TASK } from "../../../tests/contracts/packs-project.ts";
import { testCall } from "../../../tests/support/machine.ts";
import { openCodeIndex } from "../../capabilities/code-index/index.ts";
import { openContextCaches } from "../../capabilities/context-caches/index.ts";
import { openDirectoryContexts } from "../../capabilities/directory-contexts/index.ts";
import { openDocuments } from "../../capabilities/documents/index.ts";
import { openTeamMemory } from "../../capabilities/team-memory/index.ts";
import { packSources } from "./index.ts";

test("code is searched once per pack, whichever rooms use the result", async () => {
  await using project = packsProject();
  await project.fill();
  const { machine } = project.app;
  const code = openCodeIndex(machine);
  const documents = openDocuments(machine);
  let searches = 0;
  const openSources = packSources(machine, {
    directories: openDirectoryContexts(machine),
    caches: openContextCaches(machine),
    memory: openTeamMemory(machine),
    documents,
    code: {
      ...code,
      searchCode(...question) {
        searches += 1;
        return code.searchCode(...question);
      },
    },
  });
  const request = { task: TASK, budget: 8000, root: await machine.roots.directory(undefined), changes: [] };
  const sources = openSources(request, testCall());
  const filled = await Promise.all(
    sources.map(async ({ room, gather }) => ((await gather()).items.length > 0 ? room : undefined)),
  );
  expect(filled).toEqual(["team-memory", "directory-contexts", "code-index", "documents", undefined]);
  expect(searches).toBe(1);
  await Promise.all([code.close?.(), documents.close?.()]);
});
