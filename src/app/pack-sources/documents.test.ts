import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packsProject, TASK } from "../../../tests/contracts/packs-project.ts";
import { type DocumentsDoor, openDocuments } from "../../capabilities/documents/index.ts";
import { gatherDocuments } from "./documents.ts";
import { loadRanker } from "./ranker.ts";

test("a document that a sync removes after the search is left out", async () => {
  await using project = packsProject({
    "contextful.toml": '[connectors.filesystem.docs]\nroot = "docs"\n',
    "docs/gone.md": "# Gone\n\nRetry when the relay is busy.\n",
    "docs/kept.md": "# Kept\n\nRetry when the relay is slow.\n",
  });
  await project.call("documents_sync", {});
  const { machine } = project.app;
  const documents = openDocuments(machine);
  const interrupted: DocumentsDoor = {
    ...documents,
    async search(query) {
      const hits = await documents.search(query);
      rmSync(join(project.root, "docs/gone.md"));
      await project.call("documents_sync", {});
      return hits;
    },
  };
  const { items } = await gatherDocuments(interrupted, machine, {
    request: { task: TASK, budget: 8000, root: project.root, changes: [] },
    findCode: async () => ({ items: [], state: "" }),
    ranker: loadRanker(machine),
    signal: new AbortController().signal,
  });
  expect(items.map(({ title }) => title)).toEqual(["Kept"]);
  await documents.close?.();
});
