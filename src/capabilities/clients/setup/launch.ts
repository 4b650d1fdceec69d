import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { UserEnvironment } from "../client.ts";
import type { SetupInput } from "./setup-report.ts";

/** The program and arguments that start us, without those of a particular client. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** True if it contains paths of this machine: a shared file would not work for others. */
  readonly isLocal: boolean;
}

interface Running {
  /** The running program: node. */
  readonly node: string;
  /** The script it runs: our bin.js, or a link to it. */
  readonly script: string;
}

/** The entry must start this very program: a name that npx looks up may not be published, or be another's. */
export function launchOf(
  kind: SetupInput["launch"],
  { node, script }: Running,
  where: UserEnvironment,
): Launch {
  const file = existsSync(script) ? realpathSync(script) : script;
  const chosen = kind === "auto" ? startedBy(file, where) : kind;
  if (chosen === "here") return { command: node, args: [file], isLocal: true };
  const [command, ...args] = chosen === "npx" ? ["npx", "-y", "contextful"] : ["contextful"];
  // Windows starts scripts such as npx.cmd only through its shell.
  return where.platform === "win32"
    ? { command: "cmd", args: ["/c", command, ...args], isLocal: false }
    : { command, args, isLocal: false };
}

function startedBy(file: string, where: UserEnvironment): Exclude<SetupInput["launch"], "auto"> {
  if (/[\\/]_npx[\\/]/.test(file)) return "npx";
  return isOnPath(file, where) ? "command" : "here";
}

/** The first `contextful` on the path is this program. On Windows npm puts a script beside its `node_modules`. */
function isOnPath(file: string, where: UserEnvironment): boolean {
  const name = where.platform === "win32" ? "contextful.cmd" : "contextful";
  const folder = searchPath(where).find((each) => existsSync(join(each, name)));
  if (folder === undefined) return false;
  const target =
    where.platform === "win32"
      ? join(folder, "node_modules", "contextful", "dist", "bin.js")
      : join(folder, name);
  return existsSync(target) && realpathSync(target) === file;
}

/** The directories in which programs are looked up. */
export const searchPath = ({ env, platform }: UserEnvironment): readonly string[] =>
  (env["PATH"] ?? "").split(platform === "win32" ? ";" : ":").filter(Boolean);
