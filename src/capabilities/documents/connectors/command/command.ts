import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { deadline } from "../../../../core/deadline.ts";
import { DomainError } from "../../../../core/errors.ts";
import type { Connector, SourceListing } from "../connector.ts";
import { type LineOptions, readItemLines } from "./command-lines.ts";

interface CommandOptions extends LineOptions {
  readonly label: string;
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** Items that a program of the user prints, one JSON object per line. */
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
  let errorOutput = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString("utf8")).slice(-2_000);
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
    return withProblem(
      listing,
      `ended with ${code ?? "a signal"}: ${errorOutput.trim().split("\n").at(-1) ?? ""}`,
    );
  } finally {
    limit.signal.removeEventListener("abort", stop);
    stop();
  }
}

const withProblem = ({ items, problems }: SourceListing, problem: string): SourceListing => ({
  items,
  problems: [...problems, problem],
});

/** The program file: a path is relative to the project, a name is searched on the PATH. */
function findProgram({ command: [program = ""], env, project }: CommandOptions): string | undefined {
  const places =
    program.includes("/") || isAbsolute(program) ? [project] : (env["PATH"] ?? "").split(delimiter);
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd"] : [""];
  return places
    .flatMap((place) =>
      endings.map((ending) => (isAbsolute(program) ? program : join(place, program)) + ending),
    )
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Starts it in its own process group, so that its children end with it. */
function startProgram(file: string, { command, project, env }: CommandOptions) {
  const [, ...args] = command;
  const isGrouped = process.platform !== "win32";
  const child = spawn(file, args, {
    cwd: project,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: isGrouped,
  });
  const stop = () => {
    // A child it left behind may keep the output open.
    child.stdout.destroy();
    child.stderr.destroy();
    try {
      if (child.pid !== undefined) process.kill(isGrouped ? -child.pid : child.pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  return { child, stop };
}
