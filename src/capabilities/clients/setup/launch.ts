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
  /** The script it runs: our bin.js. */
  readonly script: string;
  readonly platform: NodeJS.Platform;
}

/** `npx` if we run from an installed package; the running file if we run from a clone. */
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
