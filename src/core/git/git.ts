import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import { DomainError } from "../errors.ts";
import { asksWhatIsIgnored, cleanEnvironment, hardenedArguments, type Protocol } from "./hardening.ts";
import {
  LIST_PROGRAMS,
  mayRunPrograms,
  NO_PROGRAMS,
  parsePrograms,
  programsByText,
  type RepositoryPrograms,
} from "./repository-programs.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

export interface GitOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** More output than this stops git; default 256 MB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Extra variables, e.g. GIT_INDEX_FILE. Nothing named GIT_* is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Only for sync and the git connector: a remote needs the user's configuration, credentials and protocols. */
  readonly network?: boolean;
  /** A remote that sends nothing for so long is given up; default 20. */
  readonly silentSeconds?: number;
  /** Which protocols `network` allows; default https, http, ssh and file. */
  readonly protocols?: readonly Protocol[];
  /** Settings for this call alone. They are passed in the environment: others can read the arguments of a process. */
  readonly settings?: readonly (readonly [key: string, value: string])[];
}
export type GitResult = ProgramResult;

const MAX_OUTPUT = 256 * 1024 * 1024;
const DEADLINE_MS = 30_000;
const SILENT_SECONDS = 20;
const NETWORK: readonly Protocol[] = ["https", "http", "ssh", "file"];

/**
 * Runs git so that a hostile repository cannot run anything: no hooks, filters, fsmonitor, external diffs or prompts. The
 * command is the first argument: what may run depends on it, and an option before it would hide it.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  if (!/^[a-z][a-z-]*$/.test(args[0] ?? "")) {
    throw new DomainError("invalid_input", "The first argument of git must be a command.");
  }
  const programs = mayRunPrograms(args) ? await programsOf(options) : NO_PROGRAMS;
  const result = await spawnGit(args, options, programs);
  if (result.code === 0 || options.network || !result.stderr.includes("dubious ownership")) return result;
  const { safeDirectories } = await programsOf({ ...options, network: true });
  if (safeDirectories.length === 0) return result;
  // The repository belongs to another user, but this user may have marked it as safe.
  const trusted = safeDirectories.map((directory): [string, string] => ["safe.directory", directory]);
  return spawnGit(args, options, { ...programs, overrides: [...programs.overrides, ...trusted] });
}

/** The output as text, or `undefined` if git failed: for questions whose answer may be "no". */
export async function askGit(args: readonly string[], options: GitOptions): Promise<string | undefined> {
  const { code, stdout } = await runGit(args, options);
  return code === 0 ? stdout.toString("utf8") : undefined;
}

async function programsOf(options: GitOptions): Promise<RepositoryPrograms> {
  const byText = options.network ? undefined : programsByText(options.cwd);
  if (byText) return byText;
  const { input: _input, ...asked } = options;
  const { code, stdout } = await spawnGit(LIST_PROGRAMS, asked, NO_PROGRAMS);
  return code === 0 ? parsePrograms(stdout.toString("utf8")) : NO_PROGRAMS;
}

function spawnGit(
  args: readonly string[],
  options: GitOptions,
  { overrides, sshCommand, env = {} }: RepositoryPrograms,
): Promise<GitResult> {
  const { network = false, silentSeconds = SILENT_SECONDS, settings = [] } = options;
  return runProgram(
    gitProgram(options.cwd),
    hardenedArguments(args, network ? { silentSeconds } : undefined),
    {
      cwd: options.cwd,
      env: cleanEnvironment({
        env: { ...env, ...options.env },
        protocols: network ? (options.protocols ?? NETWORK) : [],
        withUsersConfiguration: network || asksWhatIsIgnored(args),
        sshCommand: sshCommand ?? sshWith(silentSeconds),
        overrides: [...overrides, ...settings],
      }),
      input: options.input ?? "",
      timeoutMs: options.timeoutMs ?? DEADLINE_MS,
      maxBytes: options.maxBytes ?? MAX_OUTPUT,
      ...(options.signal && { signal: options.signal }),
      name: `git ${args[0] ?? ""}`,
    },
  );
}

/** Two unanswered questions whether the server is alive end the connection. */
const sshWith = (silentSeconds: number) =>
  `ssh -oBatchMode=yes -oConnectTimeout=${silentSeconds} -oServerAliveInterval=${Math.ceil(silentSeconds / 2)} -oServerAliveCountMax=2`;

const GIT_NAMES = process.platform === "win32" ? ["git.exe"] : ["git"];

/** The git programs on each PATH value, so that PATH is searched once per process. */
const gitsByPath = new Map<string, readonly string[]>();

/** The absolute path of git: from PATH, but never from inside the project it runs in, nor from a relative entry. */
function gitProgram(cwd: string): string {
  const path = process.env["PATH"] ?? "";
  const candidates = gitsByPath.get(path) ?? gitsOn(path);
  gitsByPath.set(path, candidates);
  const projects = [projectAround(cwd), projectAround(process.cwd())];
  const program = candidates.find((candidate) => !projects.some((project) => isUnder(project, candidate)));
  if (program !== undefined) return program;
  throw new DomainError("unavailable", "Could not find git on the PATH. Install git and try again.");
}

function gitsOn(path: string): string[] {
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !entry.split(/[\\/]/).includes("node_modules"))
    .flatMap((entry) => GIT_NAMES.map((name) => join(entry, name)))
    .filter(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The outermost directory around `path` that is a repository, or `path` itself. */
function projectAround(path: string): string {
  let project = path;
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) project = at;
  }
  return project;
}

function isUnder(project: string, program: string): boolean {
  return [program, realpathSync(program)].some((file) => {
    const path = relative(project, file);
    return project !== dirname(project) && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  });
}
