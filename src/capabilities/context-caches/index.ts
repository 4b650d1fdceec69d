/**
 * Context caches: immutable directories of documents, built once and queried many times. This room owns their format
 * and the selection rule. It promises that the same cache, query and budget give the same bytes on every machine,
 * in every locale and at every time; that a cache is verified before it answers; and that a build replaces a cache
 * whole or not at all.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import { commandTools } from "./commands.ts";
import { agentTools } from "./tools.ts";

export function openContextCaches(machine: Machine): { readonly tools: readonly Tool[] } {
  const room = once(async () => (await import("./caches.ts")).makeContextCaches(machine));
  return { tools: [...agentTools(room), ...commandTools(room)] };
}
