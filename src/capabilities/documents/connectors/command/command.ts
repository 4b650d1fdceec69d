import { deadline } from "../../../../core/deadline.ts";
import { DomainError } from "../../../../core/errors.ts";
import type { Connector, SourceListing } from "../connector.ts";
import { type LineOptions, readItemLines } from "./command-lines.ts";
import { type CommandProgramOptions, findProgram, startProgram } from "./command-program.ts";

export interface CommandOptions extends CommandProgramOptions, LineOptions {
  readonly label: string;
  readonly timeoutMs: number;
}

/** Items that a program of the user's own prints, one JSON object a line. */
export function commandConnector(options: CommandOptions): Connector {
  const [program = ""] = options.command;
  return {
    label: options.label,
    type: "command",
    parallel: 64,
    async check() {
      const isThere = findProgram(options) !== undefined;
      return { healthy: isThere, notes: isThere ? `command: ${program}` : `program not found: ${program}` };
    },
    list: (signal) => run(options, signal),
  };
}

async function run(options: CommandOptions, signal: AbortSignal): Promise<SourceListing> {
  const file = findProgram(options);
  if (file === undefined) {
    throw new DomainError("unavailable", `${options.label}: program not found: ${options.command[0] ?? ""}`);
  }
  using limit = deadline(options.timeoutMs, signal);
  const { child, stop } = startProgram(file, options);
  limit.signal.addEventListener("abort", stop, { once: true });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-2_000);
  });
  const ended = new Promise<number | undefined>((settle) => {
    child.on("error", () => settle(undefined));
    child.on("close", (code) => settle(code ?? undefined));
  });
  try {
    let isStopped = false;
    const listing = await readItemLines(child.stdout, options, () => {
      isStopped = true;
      stop();
    });
    const code = await ended;
    signal.throwIfAborted();
    if (limit.isOver) return withProblem(listing, `stopped after ${options.timeoutMs / 1_000} s`);
    if (code === 0 || isStopped) return listing;
    return withProblem(listing, `ended with ${code ?? "a signal"}: ${said.trim().split("\n").at(-1) ?? ""}`);
  } finally {
    limit.signal.removeEventListener("abort", stop);
    stop();
  }
}

const withProblem = ({ items, problems }: SourceListing, problem: string): SourceListing => ({
  items,
  problems: [...problems, problem],
});
