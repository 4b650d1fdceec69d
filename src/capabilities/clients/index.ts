/**
 * Clients: what coding agents need from us in their own files. This room owns our entry in their configuration and our
 * blocks in their rule files; it promises that nothing of the user's is lost or reformatted, that every write can be
 * seen before it is made, and that setup can be undone to the byte.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import type { MemoryForClients } from "./memory-for-clients.ts";
import { exchangeTools, setupTool } from "./tools.ts";

export type { MemoryForClients } from "./memory-for-clients.ts";

export function openClients(
  machine: Machine,
  memory: () => Promise<MemoryForClients>,
  rooms: readonly string[],
): { readonly tools: readonly Tool[] } {
  const setup = once(async () => (await import("./setup.ts")).makeSetup(machine, rooms));
  const exchange = once(async () => (await import("./exchange.ts")).makeExchange(machine, await memory()));
  return { tools: [setupTool(setup), ...exchangeTools(exchange)] };
}
