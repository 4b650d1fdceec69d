import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { Tool } from "../../core/tool.ts";

/** A tool's answer for a person. */
export function asText(tool: Tool, output: unknown): string {
  const text = tool.show(output);
  if (text === "") return "";
  return ended(tool.command?.raw ? text : escapeControl(text));
}

/** A tool's answer for a program: one document, or the last line after its events. */
export const asJson = (tool: Tool, output: unknown): string =>
  ended(tool.json?.(output) ?? safeJson(output, tool.events ? 0 : 2));

/** JSON.stringify escapes C0 only; a terminal also obeys C1, and readers are fooled by direction marks. */
export const safeJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const ended = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);
