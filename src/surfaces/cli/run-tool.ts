import { edgeError } from "../../core/edge-error.ts";
import type { DomainError } from "../../core/errors.ts";
import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { App } from "../../core/offer.ts";
import { invoke, type Tool } from "../../core/tool.ts";
import { exitOf, FAILURE, INTERRUPTED, OK } from "./exit-codes.ts";
import { flagOf } from "./flags.ts";
import { progressOn } from "./progress.ts";
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
    const call = { signal: world.signal, progress, actor: world.actor, caller: "person" } as const;
    const output = await invoke(tool, input, call);
    progress.end();
    if (world.signal.aborted && tool.command?.exitCode === undefined) return INTERRUPTED;
    world.out(isJson ? asJson(tool, output) : shown(tool, output));
    return tool.command?.exitCode?.(output) ?? (tool.failed?.(output) ? FAILURE : OK);
  } catch (thrown) {
    progress.end();
    if (world.signal.aborted) return INTERRUPTED;
    return tell(world, edgeError(thrown, app.machine.logger), { tool, isJson });
  }
}

/** Says what went wrong, on stderr, and gives the exit code. */
export function tell(
  world: World,
  error: DomainError,
  { tool, isJson }: { tool?: Tool; isJson: boolean },
): number {
  const message = tool && error.reason === "schema" ? wrongInput(tool, error) : error.message;
  const hint = typeof error.details["hint"] === "string" ? error.details["hint"] : undefined;
  const code = error.reason !== undefined && error.reason !== "schema" ? error.reason : error.code;
  if (isJson) world.err(`${JSON.stringify({ error: { code, message, ...(hint ? { hint } : {}) } })}\n`);
  else world.err(`error: ${escapeControl(hint ? `${message}\n${hint}` : message)}\n`);
  return exitOf(error, tool?.room);
}

/** Names the flags, where the schema names fields. */
function wrongInput(tool: Tool, { message, details }: DomainError): string {
  const issues: readonly unknown[] = Array.isArray(details["issues"]) ? details["issues"] : [];
  const lines = issues.flatMap((issue) => {
    if (typeof issue !== "object" || issue === null || !("param" in issue) || !("message" in issue))
      return [];
    const flag = flagOf(tool, String(issue.param));
    return /received undefined/.test(String(issue.message))
      ? `${flag} is missing`
      : `${flag}: ${issue.message}`;
  });
  return lines.length === 0 ? message : lines.join("; ");
}

function shown(tool: Tool, output: unknown): string {
  const text = tool.show(output);
  if (text === "") return "";
  const safe = tool.command?.raw ? text : escapeControl(text);
  return safe.endsWith("\n") ? safe : `${safe}\n`;
}

function asJson(tool: Tool, output: unknown): string {
  const fixed = tool.json?.(output);
  if (fixed !== undefined) return fixed.endsWith("\n") ? fixed : `${fixed}\n`;
  // JSON.stringify escapes C0 only; a terminal also obeys C1, and readers are fooled by direction marks.
  const text = JSON.stringify(output, null, 2).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}
