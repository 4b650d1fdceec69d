import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { Command, Tool } from "../../core/tool.ts";

/** An answer for a person. */
export const asText = (text: string, { raw }: Command): string =>
  text === "" ? "" : ended(raw ? text : escapeControl(text));

/** An answer for a program: one JSON document, or the last line after the events. */
export const asJson = (tool: Tool, output: unknown): string =>
  ended(tool.json?.(output) ?? safeJson(output, tool.events ? 0 : 2));

/** JSON.stringify escapes only C0. Terminals also obey C1 characters, and direction marks mislead readers. */
export const safeJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const ended = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);
