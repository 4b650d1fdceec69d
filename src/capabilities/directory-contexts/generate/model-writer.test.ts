import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { testCall, testMachine } from "../../../../tests/support/machine.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { Config } from "../../../core/config/config.ts";
import { invoke } from "../../../core/tool.ts";
import { openDirectoryContexts } from "../index.ts";
import { parseContext } from "../read/read-context.ts";
import { GenerationReport } from "../reports.ts";

interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A local stand-in for a chat endpoint that answers each request with the next text, or with an HTTP status. */
async function standIn(answers: readonly (string | number)[]) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ url: request.url ?? "", authorization: request.headers.authorization, body });
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? "";
    if (typeof answer === "number") {
      response.writeHead(answer, { location: "http://127.0.0.1:9/inDocuments" }).end();
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { content: answer } }] }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function openProject(root: string, url: string | undefined) {
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, ".context.config.yaml"), "min_tokens: 0\n");
  const config = Config.parse(
    url === undefined ? {} : { llm: { base_url: url, model: "m", api_key_env: "KEY" } },
  );
  const { tools } = openDirectoryContexts(
    testMachine(root, { config: async () => config, env: { KEY: "k-123" } }),
  );
  const regen = tools.find(({ name }) => name === "directories_regen");
  return async (input: unknown) => {
    if (!regen) throw new Error("no regen");
    return GenerationReport.parse(await invoke(regen, input, testCall({ caller: "person" })));
  };
}
const contextOf = (root: string) => {
  const reading = parseContext(readFileSync(join(root, "src/.context.yaml"), "utf8"));
  return reading.kind === "read" ? reading.context : reading;
};
const ANSWER = `\`\`\`json
{"summary": "Sells things.", "decisions": [{"what": "no floats", "why": "money"}], "constraints": []}
\`\`\``;

test("a model writes the summary; secrets and files that hold them are not sent", async () => {
  using dir = tempDir();
  await using model = await standIn([ANSWER]);
  const regen = openProject(dir.path, model.url);
  const token = ["ghp", "x7Kd93mQpL2vRt5Yw8Zb1Nc4Hf6Jg0Sa9Eu3"].join("_");
  writeFileSync(join(dir.path, "src/a.ts"), `export const token = "${token}";\nexport const plain = 1;\n`);
  writeFileSync(join(dir.path, "src/credentials.json"), '{"quiet": "word"}');
  await regen({ dir: "src", llm: true });
  expect(model.asked.map(({ url, authorization }) => [url, authorization])).toEqual([
    ["/v1/chat/completions", "Bearer k-123"],
  ]);
  const sent = model.asked[0]?.body ?? "";
  expect([sent.includes("plain = 1"), sent.includes(token), sent.includes("quiet")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(contextOf(dir.path)).toMatchObject({
    summary: "Sells things.",
    decisions: [{ what: "no floats", why: "money" }],
    derived_fields: expect.arrayContaining(["llm.summary", "llm.decisions"]),
  });
});

test("a run without the model keeps the model's text, a run with it replaces it, and a person's text wins", async () => {
  using dir = tempDir();
  await using model = await standIn(['{"summary": "First text."}', '{"summary": "Second text."}', ANSWER]);
  const regen = openProject(dir.path, model.url);
  writeFileSync(join(dir.path, "src/a.ts"), "export const a = 1;\n");
  await regen({ dir: "src", llm: true });
  expect(await regen({ dir: "src" })).toMatchObject({
    unchanged: 1,
    kept: [{ scope: "src", fields: ["summary"] }],
  });
  await regen({ dir: "src", llm: true });
  expect(contextOf(dir.path)).toMatchObject({ summary: "Second text." });
  const file = join(dir.path, "src/.context.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("Second", "My").replace("  - llm.summary\n", ""));
  await regen({ dir: "src", llm: true });
  expect(contextOf(dir.path)).toMatchObject({ summary: "My text.", decisions: [{ what: "no floats" }] });
});

test.each([
  { answer: 500, reason: "HTTP 500" },
  { answer: 302, reason: "fetch failed" },
  { answer: "I am sorry: I cannot: [", reason: "not JSON" },
  { answer: '{"summary": 5}', reason: "(summary: Invalid input: expected string, received number)" },
])("an answer of $answer falls back to the files, with a warning", async ({ answer, reason }) => {
  using dir = tempDir();
  await using model = await standIn([answer]);
  const regen = openProject(dir.path, model.url);
  writeFileSync(join(dir.path, "src/a.ts"), "export const a = 1;\n");
  expect(await regen({ dir: "src", llm: true })).toMatchObject({
    warnings: [expect.stringContaining(reason)],
  });
  expect(contextOf(dir.path)).toMatchObject({ summary: "1 TypeScript file (derived)." });
});

test("an answer that only opens objects is read to its end", async () => {
  using dir = tempDir();
  await using model = await standIn(["{".repeat(400_000)]);
  const regen = openProject(dir.path, model.url);
  writeFileSync(join(dir.path, "src/a.ts"), "export const a = 1;\n");
  expect(await regen({ dir: "src", llm: true })).toMatchObject({
    warnings: [expect.stringContaining("not JSON")],
  });
});

test.each([
  'Here it is:\n```json\n{"summary": "Sells things.", "decisions": null}\n```\nAnything else?',
  'Sure! {"summary": "Sells things.", "constraints": null} Hope this helps.',
])("the object is found in an answer that talks: %s", async (answer) => {
  using dir = tempDir();
  await using model = await standIn([answer]);
  const regen = openProject(dir.path, model.url);
  writeFileSync(join(dir.path, "src/a.ts"), "export const a = 1;\n");
  expect(await regen({ dir: "src", llm: true })).toMatchObject({ warnings: [] });
  expect(contextOf(dir.path)).toMatchObject({ summary: "Sells things." });
});

test("without a configured model --llm says what to do", async () => {
  using dir = tempDir();
  await expect(openProject(dir.path, undefined)({ llm: true })).rejects.toThrow("Add [llm]");
});
