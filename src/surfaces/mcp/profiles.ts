import { DomainError } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { isRoomName, ROOMS } from "../rooms.ts";

/** `contract`: the names the contracts fix. `safe`: names without dots, for clients that refuse dots. */
export type ToolNames = "contract" | "safe";

/** What an agent needs most, for clients that count the tokens of every definition. */
const LEAN: ReadonlySet<string> = new Set([
  "context_pack",
  "index_codebase",
  "search_code",
  "query_context",
  "context.search",
  "context.get",
  "context_search",
  "context_add_knowledge",
  "context_record_decision",
]);

/** The tools of a profile: `all`, `lean`, or room names separated by commas. Never tools for people. */
export function toolsOf(profile: string, tools: readonly Tool[]): readonly Tool[] {
  const forEveryone = tools.filter((tool) => tool.audience !== "people");
  if (profile === "all") return forEveryone;
  if (profile === "lean") return forEveryone.filter((tool) => LEAN.has(tool.name));
  const wanted = profile.split(",").map((room) => room.trim());
  const unknown = wanted.find((room) => !isRoomName(room));
  if (unknown !== undefined) {
    throw new DomainError(
      "invalid_input",
      `Unknown tool profile: ${unknown}. Use all, lean, or rooms: ${ROOMS.join(", ")}.`,
    );
  }
  return forEveryone.filter((tool) => wanted.includes(tool.room));
}

export const nameOf = (tool: Tool, names: ToolNames): string =>
  names === "safe" ? (tool.safeName ?? tool.name) : tool.name;

/** A tool can be called by either name, whichever is listed. */
export const findTool = (tools: readonly Tool[], name: string): Tool | undefined =>
  tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.safeName === name);
