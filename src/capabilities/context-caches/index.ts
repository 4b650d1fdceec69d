/**
 * Context caches: immutable directories of documents, built once and queried many times. This room owns their format
 * and the selection rule. It promises that the same cache, query and budget give the same bytes on every machine,
 * in every locale and at every time; that a cache is verified before it answers; and that a build replaces a cache
 * whole or not at all.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import { silentProgress } from "../../core/progress.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import type { ContextCaches } from "./caches.ts";
import { commandTools } from "./commands.ts";
import { agentTools } from "./tools.ts";

export interface ContextCachesDoor extends RoomOffer {
  /** The caches below the cache root, by name. */
  list: ContextCaches["list"];
  /** Selects documents of one cache for a query within a token budget. */
  resolve(
    question: { readonly cache: string; readonly query: string; readonly budget: number },
    signal: AbortSignal,
  ): ReturnType<ContextCaches["resolve"]>;
}

export function openContextCaches(machine: Machine): ContextCachesDoor {
  const room = once(async () => (await import("./caches.ts")).makeContextCaches(machine));
  return {
    tools: [...agentTools(room), ...commandTools(room)],
    list: async () => (await room()).list(),
    resolve: async (question, signal) =>
      (await room()).resolve(question, { signal, progress: silentProgress, actor: "pack", caller: "agent" }),
  };
}
