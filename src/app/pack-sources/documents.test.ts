import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packsProject, TASK } from "../../../tests/contracts/packs-project.ts";
import { openDocuments } from "../../capabilities/documents/index.ts";
import type { Tool } from "../../core/tool.ts";
import { documentsSource } from "./documents.ts";
import { rankerOf } from "./ranker.ts";

test("a document that a sync takes away after it was found is left out", async () => {
  await using project = packsProject({
    "contextful.toml": '[connectors.filesystem.docs]\nroot = "docs"\n',
    "docs/gone.md": "# Gone\n\nRetry when the relay is busy.\n",
    "docs/kept.md": "# Kept\n\nRetry when the relay is slow.\n",
  });
  await project.call("documents_sync", {});
  const { machine } = project.app;
  const documents = openDocuments(machine);
  const interrupted = (tool: Tool): Tool => ({
    ...tool,
    async run(input, call) {
      const answer = await tool.run(input, call);
      rmSync(join(project.root, "docs/gone.md"));
      await project.call("documents_sync", {});
      return answer;
    },
  });
  const tools = documents.tools.map((tool) => (tool.name === "context.search" ? interrupted(tool) : tool));
  const source = documentsSource(
    { ...documents, tools },
    { machine, foundCode: async () => [], ranker: rankerOf(machine) },
  );
  const request = { task: TASK, root: project.root, changes: [] };
  const { items } = await source.gather(request, new AbortController().signal);
  expect(items.map(({ title }) => title)).toEqual(["Kept"]);
  await documents.close?.();
});
