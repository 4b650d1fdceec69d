import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openTeamMemory } from "../../src/capabilities/team-memory/index.ts";
import type { Machine } from "../../src/core/machine.ts";
import { type Call, invoke } from "../../src/core/tool.ts";
import { testCall, testMachine } from "./machine.ts";
import { tempDir } from "./temp-dir.ts";

/** Team memory in a directory of its own, called as a surface calls it. */
export function memoryRoom(overrides: Partial<Machine> = {}) {
  const directory = tempDir();
  const root = join(directory.path, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  const machine = testMachine(root, overrides);
  const room = openTeamMemory(machine);
  const store = join(root, ".context-teleport");
  return {
    root,
    store,
    room,
    machine,
    call(name: string, input: Readonly<Record<string, unknown>> = {}, call: Partial<Call> = {}) {
      const tool = room.tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return invoke(tool, input, testCall({ actor: "mcp:test", ...call }));
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
