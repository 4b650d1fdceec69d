import { spawn } from "node:child_process";
import { DomainError } from "../errors.ts";

export interface GitOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Extra variables, e.g. GIT_INDEX_FILE. Nothing named GIT_* is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Only sync and the git connector: the user's configuration, credentials and protocols are needed to talk to a remote. */
  readonly network?: boolean;
}
export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git so that nothing in a hostile repository runs: no hooks, no filters, no fsmonitor, no external diff, no prompts. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const child = spawn("git", [...hardening(options.network ?? false), ...args], {
    cwd: options.cwd,
    env: cleanEnvironment(options),
    stdio: ["pipe", "pipe", "pipe"],
    timeout: options.timeoutMs ?? 30_000,
    killSignal: "SIGKILL",
    ...(options.signal && { signal: options.signal }),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const code = await new Promise<number>((settle, reject) => {
    child.on("error", (cause) =>
      reject(new DomainError("unavailable", "Could not run git. Install git and try again.", { cause })),
    );
    child.on("close", (exit, killed) =>
      killed && !options.signal?.aborted
        ? reject(new DomainError("unavailable", `git ${args[0] ?? ""} took too long and was stopped.`))
        : settle(exit ?? 1),
    );
  });
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8") };
}

/** The output as text, or `undefined` where git refused: for questions whose answer may be "no". */
export async function askGit(args: readonly string[], options: GitOptions): Promise<string | undefined> {
  const { code, stdout } = await runGit(args, options);
  return code === 0 ? stdout.toString("utf8") : undefined;
}

const hardening = (network: boolean) => [
  "--no-pager",
  "--literal-pathspecs",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "diff.external=",
    "log.showSignature=false",
    "safe.bareRepository=explicit",
  ].flatMap((set) => ["-c", set]),
  ...(network ? [] : ["-c", "protocol.allow=never"]),
];

function cleanEnvironment({ env = {}, network = false }: GitOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(inherited),
    ...(network
      ? {}
      : {
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_ALLOW_PROTOCOL: "",
          GIT_NO_LAZY_FETCH: "1",
        }),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
    ...env,
  };
}
