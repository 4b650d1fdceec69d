import { z } from "zod";
import { DomainError } from "../../src/core/errors.ts";
import type { App } from "../../src/core/room-offer.ts";
import { type Call, defineTool, type Tool } from "../../src/core/tool.ts";
import { httpApp, listen } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { scratchApp } from "../support/scratch-app.ts";

/** The fixtures that the protocol's conformance suite calls by name, served by our own server. Prints its address. */

const fixture = (name: string, description: string, run: (call: Call) => Promise<string>): Tool =>
  defineTool({
    room: "packs",
    name,
    description,
    effect: "reads",
    input: z.object({}),
    output: z.string(),
    run: (_input, call) => run(call),
    show: String,
    forModel: String,
  });

const tools = [
  fixture(
    "test_simple_text",
    "Answers with text.",
    async () => "This is a simple text response for testing.",
  ),
  fixture("test_error_handling", "Always fails.", async () => {
    throw new DomainError("conflict", "This tool intentionally returns an error for testing");
  }),
  fixture("test_tool_with_progress", "Reports its progress.", async ({ progress }) => {
    for (const done of [0, 50, 100]) {
      progress.report({ done, total: 100, label: "steps" });
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    return "done";
  }),
];

const app: App = {
  ...scratchApp(tools),
  resources: [
    {
      templates: [
        { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
      ],
      list: async () => [{ uri: "test://static-text", name: "static text", mimeType: "text/plain" }],
      read: async (uri) => {
        const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
        if (id !== undefined)
          return { mimeType: "application/json", text: JSON.stringify({ id, data: `for ${id}` }) };
        if (uri !== "test://static-text") return undefined;
        return { mimeType: "text/plain", text: "This is the content of the static text resource." };
      },
    },
  ],
  prompts: [
    {
      name: "test_simple_prompt",
      description: "A prompt without arguments.",
      arguments: [],
      render: async () => "This is a simple prompt for testing.",
    },
    {
      name: "test_prompt_with_arguments",
      description: "A prompt with two arguments.",
      arguments: [
        { name: "arg1", description: "First", required: true },
        { name: "arg2", description: "Second", required: true },
      ],
      render: async ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
  ],
};

const mcp = mcpHandler(app, { version: "0.0.0" });
const listening = await listen(httpApp(app, { version: "0.0.0", host: "127.0.0.1", mcp: mcp.fetch }), {
  host: "127.0.0.1",
  port: 0,
});
process.stdout.write(`http://127.0.0.1:${listening.port}/mcp\n`);
