import { silentProgress } from "../../core/progress.ts";
import { type Call, invoke, type Tool } from "../../core/tool.ts";

/** Calls a tool of a room as every surface does, and gives what it answers to be made known by a schema. */
export function callerOf(tools: readonly Tool[]) {
  return (name: string, input: unknown, signal: AbortSignal): Promise<unknown> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return invoke(tool, input, quietCall(signal));
  };
}

const quietCall = (signal: AbortSignal): Call => ({
  signal,
  progress: silentProgress,
  actor: "pack",
  caller: "agent",
});
