import { DomainError } from "../../core/errors.ts";
import type { AgentView, Tool } from "../../core/tool.ts";
import { isRoomName, ROOMS } from "../rooms.ts";
import { clientNamed } from "./client-table.ts";

/** `contract`: the names the contracts fix. `safe`: names without dots, for clients that refuse dots. */
export type ToolNames = "contract" | "safe";

/** What one client is served: the profile that decides what is listed, and the names. */
export interface Serving {
  /** `all`, `lean`, or room names separated by commas. */
  readonly profile: string;
  readonly names: ToolNames;
}

/** A name that clients can call: a tool, or an agent view of it. */
export interface NamedTool {
  readonly name: string;
  readonly tool: Tool;
  readonly view?: AgentView;
}

/** What a coding agent needs every day. The other tools are found with `more_tools`. */
const LEAN = [
  "context_pack",
  "code_search",
  "find_references",
  "directory_context",
  "memory_search",
  "memory_add",
  "decision_add",
  "documents_search",
  "documents_get",
] as const;

/** Fills in `auto` for a client: coding agents get the lean list, and safe names if they break dots. */
export function servingFor(
  { profile, names }: { readonly profile: string; readonly names: ToolNames | "auto" },
  clientName: string | undefined,
): Serving {
  const client = clientNamed(clientName);
  return {
    profile: profile === "auto" ? (client?.isCodingAgent ? "lean" : "all") : profile,
    names: names === "auto" ? (client?.breaksDots ? "safe" : "contract") : names,
  };
}

/** Throws if there is no such profile. */
export function checkProfile(profile: string): void {
  if (profile === "auto" || profile === "all" || profile === "lean") return;
  const unknown = roomsOf(profile).find((room) => !isRoomName(room));
  if (unknown === undefined) return;
  throw new DomainError(
    "invalid_input",
    `Unknown tool profile: ${unknown}. Use auto, all, lean, or rooms: ${ROOMS.join(", ")}.`,
  );
}

/** Never tools for people. */
export const callableTools = (tools: readonly Tool[]): readonly Tool[] =>
  tools.filter((tool) => tool.audience !== "people");

/** The tools of a profile, under the names that are listed. */
export function toolsOf({ profile, names }: Serving, tools: readonly Tool[]): readonly NamedTool[] {
  checkProfile(profile);
  const callable = callableTools(tools);
  if (profile === "lean") return LEAN.flatMap((name) => findTool(callable, name) ?? []);
  const rooms = profile === "all" ? undefined : roomsOf(profile);
  return callable
    .filter((tool) => rooms?.includes(tool.room) ?? true)
    .flatMap((tool) => [
      { name: nameOf(tool, names), tool },
      ...(tool.agentView ? [{ name: tool.agentView.name, tool, view: tool.agentView }] : []),
    ]);
}

export const nameOf = (tool: Tool, names: ToolNames): string =>
  names === "safe" ? (tool.safeName ?? tool.name) : tool.name;

/** A tool can be called by all its names, whichever are listed. */
export function findTool(tools: readonly Tool[], name: string): NamedTool | undefined {
  const viewed = tools.find(({ agentView }) => agentView?.name === name);
  if (viewed?.agentView) return { name, tool: viewed, view: viewed.agentView };
  const tool = tools.find((each) => each.name === name) ?? tools.find(({ safeName }) => safeName === name);
  return tool && { name, tool };
}

const roomsOf = (profile: string): readonly string[] => profile.split(",").map((room) => room.trim());
