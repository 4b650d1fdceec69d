import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openCodeIndex } from "../../src/capabilities/code-index/index.ts";
import { Config } from "../../src/core/config/config.ts";
import { type FakeProvider, startFakeProvider } from "../../src/core/search/embedders/fake-provider.ts";
import { invoke } from "../../src/core/tool.ts";
import { testCall } from "../support/machine.ts";
import { documentsProject, FILES } from "./documents-project.ts";

const MODEL = "ollama/letters";
const settings = (url: string) => ({
  ...FILES,
  embedding: { provider: "ollama", model: "letters", url, max_retries: 0, batch_size: 2 },
});

/** A project of three pages, and a person who syncs and searches at a terminal. */
function openProject(url: string) {
  const project = documentsProject(settings(url));
  for (const page of ["heron", "stork", "crane"]) project.write(`docs/${page}.md`, `The ${page} eats fish.`);
  return Object.assign(project, {
    syncAsPerson: () => project.call("documents_sync", {}, testCall({ caller: "person" })),
    async noticeOf(query: string, mode: string, caller: "person" | "agent" = "person") {
      const notices: string[] = [];
      const call = testCall({ caller, notice: (text) => void notices.push(text) });
      const answer = await project.call("context.search", { query, mode }, call);
      expect(answer).toMatchObject({ results: [{}, {}, {}] });
      return notices.join("\n");
    },
  });
}
const textsOf = ({ requests }: FakeProvider) => requests.flatMap(({ texts }) => texts);

test("a sync embeds with the configured provider, in batches, and a search answers by its model", async () => {
  const provider = await startFakeProvider();
  try {
    await using project = openProject(provider.url);
    expect(await project.syncAsPerson()).toMatchObject({ embedding: { model: MODEL } });
    expect(textsOf(provider)).toEqual(
      expect.arrayContaining(["The heron eats fish.", "The stork eats fish."]),
    );
    expect(provider.requests.every(({ texts }) => texts.length <= 2)).toBe(true);
    expect([
      await project.noticeOf("fish", "semantic"),
      await project.noticeOf("fish", "hybrid"),
      await project.noticeOf("fish", "keyword"),
      await project.noticeOf("fish", "semantic", "agent"),
    ]).toEqual([`By the model ${MODEL}.`, `By the model ${MODEL}.`, "", ""]);
    const before = textsOf(provider).length;
    await project.syncAsPerson();
    expect(textsOf(provider)).toHaveLength(before);
  } finally {
    await provider.close();
  }
});

test("if the provider is down, a sync says so, and a search names the quick model and the reason", async () => {
  await using project = openProject("http://127.0.0.1:9");
  expect(await project.syncAsPerson()).toMatchObject({
    sources: [{ status: "ok", written: 3 }],
    embedding: { model: MODEL, problem: expect.stringContaining("127.0.0.1:9 could not be reached") },
  });
  expect(await project.noticeOf("fish", "semantic", "agent")).toMatch(
    /^By the model static, not the configured one: ollama\/letters: .*could not be reached/,
  );
});

test("if the provider fails in the middle, the rest is embedded by the next sync", async () => {
  const provider = await startFakeProvider();
  try {
    await using project = openProject(provider.url);
    // The first request is the question whether it is there.
    provider.failures.push((response) => void response.end('{"embeddings":[[1,2]]}'));
    provider.failures.push((response) => void response.writeHead(500).end());
    expect(await project.syncAsPerson()).toMatchObject({
      embedding: { problem: expect.stringContaining("500") },
    });
    expect(await project.noticeOf("fish", "semantic")).toBe(
      `By the model static, not the configured one: ${MODEL} has embedded 0 of 3 chunks. What is missing is embedded by: contextful documents sync`,
    );
    project.reopen();
    expect(await project.syncAsPerson()).toMatchObject({ embedding: { model: MODEL } });
    expect(await project.noticeOf("fish", "semantic")).toBe(`By the model ${MODEL}.`);
  } finally {
    await provider.close();
  }
});

test("without a configured provider, a sync says nothing of models", async () => {
  await using project = documentsProject(FILES);
  project.write("docs/a.md", "heron");
  expect(await project.call("documents_sync", {}, testCall({ caller: "person" }))).not.toHaveProperty(
    "embedding",
  );
});

test("indexing code by command embeds with the configured provider, and a search says the model", async () => {
  const provider = await startFakeProvider();
  try {
    await using project = openProject(provider.url);
    project.write("main.go", "package main\n\n// Heron eats fish.\nfunc Heron() {}\n");
    execFileSync("git", ["init", "-q"], { cwd: project.root });
    const code = openCodeIndex({
      ...project.machine,
      config: async () => Config.parse(settings(provider.url)),
    });
    const call = (name: string, input: object) => {
      const tool = code.tools.find((known) => known.name === name);
      if (!tool) throw new Error(`no tool ${name}`);
      return invoke(tool, { path: project.root, ...input }, testCall({ caller: "person" }));
    };
    try {
      expect(await call("index_codebase", {})).toMatchObject({ embedding: { model: MODEL } });
      expect(textsOf(provider).join()).toContain("Heron eats fish");
      const found = await call("search_code", { query: "who eats fish" });
      expect(found).toMatchObject({ statistics: { model: MODEL } });
      expect(found).not.toHaveProperty("degraded");
    } finally {
      await code.close?.();
    }
  } finally {
    await provider.close();
  }
});
