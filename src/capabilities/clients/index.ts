/**
 * Clients: what coding agents need from us in their own files. This room owns our entry in their configuration and our
 * blocks in their rule files. It promises that nothing of the user is lost or reformatted, that every write can be seen
 * before it happens, and that setup can be undone to the byte.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import type { MemoryForClients } from "./memory-for-clients.ts";
import { projectRoot } from "./project-root.ts";
import { exportTool, importTool, setupTool } from "./tools.ts";

export { CLIENT_IDS } from "./client.ts";

export function openClients(
  machine: Machine,
  memory: () => Promise<MemoryForClients>,
  rooms: readonly string[],
): { readonly tools: readonly Tool[] } {
  const setup = once(async () => (await import("./setup/setup.ts")).makeSetup(machine, rooms));
  return {
    tools: [
      setupTool(setup),
      exportTool(async (input) => {
        const { exportMemory } = await import("./export/export-memory.ts");
        return exportMemory(projectRoot(machine.root), await memory(), input);
      }),
      importTool(async (input, call) => {
        const { importFiles } = await import("./import/import-files.ts");
        return importFiles(projectRoot(machine.root), await memory(), { input, call });
      }),
    ],
  };
}
