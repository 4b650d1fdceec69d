import { z } from "zod";
import type { Tool } from "../../core/tool.ts";
import { ROOM_SUMMARY, ROOMS } from "../rooms.ts";
import { asText, type CallSettings, callTool, type ToolAnswer, type ToolCallInput } from "./call-tool.ts";
import { findTool, type NamedTool, nameOf, type ToolNames } from "./profiles.ts";
import { schemasOf } from "./tool-list.ts";

const MoreToolsInput = z.object({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

export async function answerMoreTools(
  { raw, call }: ToolCallInput,
  settings: CallSettings,
): Promise<ToolAnswer> {
  const input = MoreToolsInput.safeParse(raw ?? {});
  if (!input.success) return { result: asText('Give {"tool": NAME, "arguments": {…}}, or nothing.', true) };
  const { tool: name, arguments: given } = input.data;
  if (name === undefined) return { result: asText(listOf(settings.tools, settings.names), false) };
  const found = findTool(settings.tools, name);
  if (!found) {
    const message = `There is no tool ${name.slice(0, 128)}. Call more_tools without arguments for the list.`;
    return { result: asText(message, true) };
  }
  if (given === undefined) return { result: asText(describe(found), false) };
  return callTool(found, { raw: given, call, isForAgent: true }, settings);
}

/** One line per tool, by room. */
function listOf(tools: readonly Tool[], names: ToolNames): string {
  const rooms = ROOMS.flatMap((room) => {
    const lines = tools
      .filter((tool) => tool.room === room)
      .map((tool) => `- ${tool.agentView?.name ?? nameOf(tool, names)}: ${firstSentence(tool)}`);
    return lines.length === 0 ? [] : [`${ROOM_SUMMARY[room]} (${room})\n${lines.join("\n")}`];
  });
  return `${rooms.join("\n\n")}\n\nParameters: more_tools {"tool": NAME}. Call: more_tools {"tool": NAME, "arguments": {…}}.`;
}

const firstSentence = ({ description, agentView }: Tool): string =>
  /^.*?(?=[.;:](?:\s|$))/s.exec(agentView?.description ?? description)?.[0] ?? description;

const describe = (named: NamedTool): string =>
  `${named.name}: ${named.view?.description ?? named.tool.description}\nParameters: ${JSON.stringify(schemasOf(named).inputSchema)}`;
