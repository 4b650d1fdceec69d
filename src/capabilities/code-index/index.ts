import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";

export function openCodeIndex(_machine: Machine): { readonly tools: readonly Tool[] } {
  return { tools: [] };
}
