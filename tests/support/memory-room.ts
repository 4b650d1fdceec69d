import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openTeamMemory } from "../../src/capabilities/team-memory/index.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Machine } from "../../src/core/machine.ts";
import { type Call, invoke } from "../../src/core/tool.ts";
import { callTool } from "../../src/surfaces/mcp/call-tool.ts";
import { boundedQueue } from "../../src/surfaces/queue.ts";
import { testCall, testMachine } from "./machine.ts";
import { tempDir } from "./temp-dir.ts";

/** Team memory in a directory of its own. An agent's call is answered as over MCP; a person's call throws. */
export function memoryRoom(overrides: Partial<Machine> = {}) {
  const directory = tempDir();
  const root = join(directory.path, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  const machine = testMachine(root, overrides);
  const room = openTeamMemory(machine);
  const store = join(root, ".context-teleport");
  const toolCalled = (name: string) => {
    const tool = room.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool;
  };
  const callOf = (overridden: Partial<Call>) => testCall({ actor: "mcp:test", ...overridden });
  /** The whole answer as MCP carries it. */
  async function answer(name: string, input: Readonly<Record<string, unknown>>, call: Partial<Call> = {}) {
    const settings = {
      queue: boundedQueue({ running: 8, waiting: 64 }),
      logger: silentLogger,
      root,
      tools: room.tools,
      names: "contract",
    } as const;
    const answered = await callTool(
      { name, tool: toolCalled(name) },
      { raw: input, call: callOf(call) },
      settings,
    );
    if ("failure" in answered) throw new Error(answered.failure.message);
    return { text: answered.result.content[0]?.text ?? "", isError: answered.result.isError };
  }
  return {
    root,
    store,
    room,
    machine,
    answer,
    async call(
      name: string,
      input: Readonly<Record<string, unknown>> = {},
      call: Partial<Call> = {},
    ): Promise<unknown> {
      if (call.caller === "person") return invoke(toolCalled(name), input, callOf(call));
      return JSON.parse((await answer(name, input, call)).text);
    },
    /** A second process, as far as memory is concerned. */
    again: () => openTeamMemory(machine),
    write(path: string, text: string | Uint8Array) {
      mkdirSync(dirname(join(store, path)), { recursive: true });
      writeFileSync(join(store, path), text);
    },
    read(path: string): string | undefined {
      try {
        return readFileSync(join(store, path), "utf8");
      } catch {
        return undefined;
      }
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}
export type MemoryRoom = ReturnType<typeof memoryRoom>;

/** A room with one entry of each kind, a private one, a state and a session. */
export async function filledRoom(): Promise<MemoryRoom> {
  const room = memoryRoom();
  await room.call("context_add_knowledge", { key: "stack", content: "PostgreSQL" });
  await room.call("context_add_knowledge", { key: "hidden", content: "canary", scope: "private" });
  await room.call("context_add_convention", { key: "git", content: "Rebase" });
  await room.call("context_record_decision", { title: "Use X", decision: "yes" });
  await room.call("context_add_skill", { name: "deploy", description: "Deploys", instructions: "Go" });
  await room.call("context_update_state", { current_task: "Auth", blockers: "spec" });
  await room.call("context_append_session", { summary: "did things" });
  return room;
}
