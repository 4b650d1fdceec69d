import type { DomainError } from "../../core/errors.ts";
import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { Tool } from "../../core/tool.ts";
import { exitOf } from "./exit-codes.ts";
import { flagOf } from "./flags.ts";
import { safeJson } from "./printed.ts";
import type { World } from "./world.ts";

/** Says what went wrong, on stderr, and gives the exit code. */
export function tellError(
  world: World,
  error: DomainError,
  { tool, isJson }: { tool?: Tool; isJson: boolean },
): number {
  const message = tool && error.reason === "schema" ? wrongInput(tool, error) : error.message;
  const hint = typeof error.details["hint"] === "string" ? error.details["hint"] : undefined;
  const code = error.reason !== undefined && error.reason !== "schema" ? error.reason : error.code;
  if (isJson) world.err(`${safeJson({ error: { code, message, ...(hint ? { hint } : {}) } })}\n`);
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
