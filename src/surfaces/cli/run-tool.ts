import { edgeError } from "../../core/edge-error.ts";
import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { App } from "../../core/room-offer.ts";
import { type Command, invokeView, type Tool } from "../../core/tool.ts";
import { attendedCall } from "./call.ts";
import type { CliContext } from "./cli-context.ts";
import { nextCommandLine } from "./command-line.ts";
import { FAILURE, INTERRUPTED, OK } from "./exit-codes.ts";
import { asJson, asText } from "./printed.ts";
import { progressOn } from "./progress.ts";
import { tellError } from "./tell-error.ts";

interface ToolRun {
  readonly context: CliContext;
  readonly app: App;
  readonly tool: Tool;
  readonly command: Command;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isJson: boolean;
}

/** Runs a command for a person and prints the answer; returns the exit code. */
export async function runTool({ context, app, tool, command, input, isJson }: ToolRun): Promise<number> {
  const progress = progressOn(context);
  try {
    const view = { tool, view: command, context: { root: app.machine.root } };
    const answer = await invokeView(view, input, attendedCall(context, tool, { progress, isJson }));
    const { output } = answer;
    progress.end();
    // A call with events is meant to be stopped, so that is a normal end.
    const isCutShort = context.signal.aborted && !tool.events;
    if (isCutShort && command.exitCode === undefined) return INTERRUPTED;
    context.out(isJson ? asJson(tool, output) : asText(answer.show(), command));
    const next = answer.next && nextCommandLine(answer.next, app.tools, context.cwd);
    if (next !== undefined && !isJson) context.out(`Run: ${escapeControl(next)}\n`);
    if (isCutShort) return INTERRUPTED;
    return command.exitCode?.(output) ?? (tool.failed?.(output) ? FAILURE : OK);
  } catch (thrown) {
    progress.end();
    if (context.signal.aborted) return INTERRUPTED;
    const ran = { tool, command, input, tools: app.tools };
    return tellError(context, edgeError(thrown, app.machine.logger), { ran, isJson });
  }
}
