import type { SetupInput } from "./setup-report.ts";

/** How a client starts us: a program and its arguments, before those of one client. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** True where the paths are those of this machine, so that a shared file would not work for others. */
  readonly isLocal: boolean;
}

interface Running {
  /** The program that runs now: node. */
  readonly node: string;
  /** The file it runs: our bin.js. */
  readonly script: string;
  readonly platform: NodeJS.Platform;
}

/** `npx` where we were installed as a package; where we run from a clone, this very file. */
export function launchOf(kind: SetupInput["launch"], { node, script, platform }: Running): Launch {
  const isPackage = /[\\/]node_modules[\\/]/.test(script) || !/\.m?js$/.test(script);
  if (kind === "here" || (kind === "auto" && !isPackage))
    return { command: node, args: [script], isLocal: true };
  const npx = ["-y", "contextful"];
  // Windows starts npx only through its shell.
  return platform === "win32"
    ? { command: "cmd", args: ["/c", "npx", ...npx], isLocal: false }
    : { command: "npx", args: npx, isLocal: false };
}
