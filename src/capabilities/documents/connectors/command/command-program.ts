import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface CommandProgramOptions {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The file that runs: a path is relative to the project, a name is looked for on the PATH. */
export function findProgram({
  command: [program = ""],
  env,
  project,
}: CommandProgramOptions): string | undefined {
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

/** Starts it in a group of its own, so that what it started goes with it. */
export function startProgram(file: string, { command, project, env }: CommandProgramOptions) {
  const [, ...args] = command;
  const isGrouped = process.platform !== "win32";
  const child = spawn(file, args, {
    cwd: project,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: isGrouped,
  });
  const stop = () => {
    // What it left behind may hold its output open, in its group or out of it.
    child.stdout.destroy();
    child.stderr.destroy();
    try {
      if (child.pid !== undefined) process.kill(isGrouped ? -child.pid : child.pid, "SIGKILL");
    } catch {
      // All of it ended by itself.
    }
  };
  return { child, stop };
}
