import type { DomainError } from "../../core/errors.ts";
import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { Command, Tool } from "../../core/tool.ts";
import { describeProblem } from "../../core/validation-message.ts";
import type { CliContext } from "./cli-context.ts";
import { nextCommandLine } from "./command-line.ts";
import { exitOf } from "./exit-codes.ts";
import { flagOf } from "./flags.ts";
import { safeJson } from "./printed.ts";

interface RanCommand {
  readonly tool: Tool;
  readonly command: Command;
  /** The form's values as they were typed. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly tools: readonly Tool[];
}
interface FailedRun {
  /** Absent if the run failed before a command was found. */
  readonly ran?: RanCommand;
  readonly isJson: boolean;
}

/** Says what went wrong and what to do next, on stderr; returns the exit code. */
export function tellError(context: CliContext, error: DomainError, { ran, isJson }: FailedRun): number {
  const message = ran && error.reason === "schema" ? wrongInput(ran.command, error) : error.message;
  const hint = hintOf(error, ran, context.cwd);
  const code = error.reason !== undefined && error.reason !== "schema" ? error.reason : error.code;
  if (isJson) context.err(`${safeJson({ error: { code, message, ...(hint ? { hint } : {}) } })}\n`);
  else context.err(`error: ${escapeControl(hint ? `${message}\n${hint}` : message)}\n`);
  return exitOf(error, ran?.tool.room);
}

/** Fields that the next command shares with this one keep the value that was typed. */
function hintOf(
  { details, next }: DomainError,
  ran: RanCommand | undefined,
  cwd: string,
): string | undefined {
  if (typeof details["hint"] === "string") return details["hint"];
  const line =
    next && ran && nextCommandLine({ ...next, input: { ...ran.input, ...next.input } }, ran.tools, cwd);
  return line === undefined ? undefined : `Run: ${line}`;
}

/** Names flags instead of fields. */
function wrongInput(command: Command, { message, details }: DomainError): string {
  const issues: readonly unknown[] = Array.isArray(details["issues"]) ? details["issues"] : [];
  const lines = issues.flatMap((issue) => {
    const isIssue = typeof issue === "object" && issue !== null && "param" in issue && "message" in issue;
    if (!isIssue || issue.param === "") return [];
    return describeProblem(flagOf(command, String(issue.param)), String(issue.message));
  });
  return lines.length === 0 ? message : lines.join("; ");
}
