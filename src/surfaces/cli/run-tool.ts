import { edgeError } from "../../core/edge-error.ts";
import type { App } from "../../core/room-offer.ts";
import { invoke, type Tool } from "../../core/tool.ts";
import { attendedCall } from "./call.ts";
import { FAILURE, INTERRUPTED, OK } from "./exit-codes.ts";
import { asJson, asText } from "./printed.ts";
import { progressOn } from "./progress.ts";
import { tellError } from "./tell-error.ts";
import type { World } from "./world.ts";

interface Run {
  readonly world: World;
  readonly app: App;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isJson: boolean;
}

/** Runs a tool for a person and prints its answer; gives the exit code. */
export async function runTool({ world, app, tool, input, isJson }: Run): Promise<number> {
  const progress = progressOn(world);
  try {
    const output = await invoke(tool, input, attendedCall(world, tool, { progress, isJson }));
    progress.end();
    // Being stopped is how a call with events ends, so it ends well.
    const isCutShort = world.signal.aborted && !tool.events;
    if (isCutShort && tool.command?.exitCode === undefined) return INTERRUPTED;
    world.out(isJson ? asJson(tool, output) : asText(tool, output));
    if (isCutShort) return INTERRUPTED;
    return tool.command?.exitCode?.(output) ?? (tool.failed?.(output) ? FAILURE : OK);
  } catch (thrown) {
    progress.end();
    if (world.signal.aborted) return INTERRUPTED;
    return tellError(world, edgeError(thrown, app.machine.logger), { tool, isJson });
  }
}
