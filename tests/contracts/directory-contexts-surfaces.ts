import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { openDirectoryContexts } from "../../src/capabilities/directory-contexts/index.ts";
import type { Machine } from "../../src/core/machine.ts";
import { invoke } from "../../src/core/tool.ts";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { scratchApp } from "../support/scratch-app.ts";

export interface Answered {
  readonly answer: unknown;
  readonly isError: boolean;
}
type Opener = (
  root: string,
  overrides?: Partial<Machine>,
) => (name: string, input: unknown) => Promise<Answered>;

const McpAnswer = z.object({
  result: z.object({
    content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
    structuredContent: z.unknown(),
    isError: z.boolean().default(false),
  }),
});

const throughTheDoor: Opener = (root, overrides) => {
  const { tools } = openDirectoryContexts(testMachine(root, overrides));
  return async (name, input) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const answer = await invoke(tool, input, testCall());
    return { answer, isError: tool.failed?.(answer) ?? false };
  };
};

const overMcp: Opener = (root, overrides) => {
  const machine = testMachine(root, overrides);
  const handler = mcpHandler(scratchApp(openDirectoryContexts(machine).tools, machine), { version: "0" });
  return async (name, input) => {
    const response = await handler.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: input },
        }),
      }),
    );
    const text = await response.text();
    const line = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
    const { result } = McpAnswer.parse(JSON.parse(line));
    const answer: unknown = JSON.parse(result.content[0].text);
    if (JSON.stringify(result.structuredContent) !== JSON.stringify(answer)) throw new Error("two answers");
    return { answer, isError: result.isError };
  };
};

/** HTTP carries no flag of its own: an answer with an error text is the failure. */
const overHttp: Opener = (root, overrides) => {
  const machine = testMachine(root, overrides);
  const app = scratchApp(openDirectoryContexts(machine).tools, machine);
  const hono = httpApp(app, { version: "0", host: "127.0.0.1", mcp: async () => new Response() });
  return async (name, input) => {
    const response = await hono.request(`/tools/${name}`, {
      method: "POST",
      headers: { Host: "127.0.0.1:7331", "Content-Type": "application/json" },
      body: JSON.stringify(input),
    });
    const answer: unknown = await response.json();
    return { answer, isError: typeof answer === "object" && answer !== null && "error" in answer };
  };
};

/** Every row of the contract runs on each of these. */
export const SURFACES = [
  ["the room's door", throughTheDoor],
  ["MCP", overMcp],
  ["HTTP", overHttp],
] as const;

export function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
