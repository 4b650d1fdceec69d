import { silentProgress } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import { invoke } from "../../core/tool.ts";

/** Calls tools by name for the page, with the rights of an agent. */
export function toolCaller(app: App, signal: AbortSignal = new AbortController().signal) {
  /** The tool's output; `undefined` if the server does not have the tool. */
  const ask = async (name: string, input: unknown = {}): Promise<unknown> => {
    const tool = app.tools.find((each) => each.name === name);
    if (!tool) return undefined;
    return invoke(tool, input, { signal, progress: silentProgress, actor: "http:page", caller: "agent" });
  };
  return { ask };
}
