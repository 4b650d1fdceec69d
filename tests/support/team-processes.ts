import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "./dist.ts";
import { tempDir } from "./temp-dir.ts";

export interface TeamProcess {
  readonly child: ChildProcess;
  /** Of a server. */
  readonly port: number;
  /** All it has printed. */
  said(): string;
  /** Resolves with what ended it: an exit code or a signal. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

const NO_MODEL = '[embedding]\nprovider = "disabled"\n';

/** Runs the real binary for a team's database. Each process has a home of its own. */
export async function openTeamProcesses(
  database: string,
  { binary, config = NO_MODEL }: { readonly binary?: string; readonly config?: string } = {},
) {
  const program = binary ?? (await builtBinary());
  const directory = tempDir();
  const started: TeamProcess[] = [];
  const configure = (name: string, more = "") => {
    mkdirSync(join(directory.path, name, "config"), { recursive: true });
    writeFileSync(join(directory.path, name, "config", "config.toml"), `${config}\n${more}`);
  };
  const environment = (name: string) => {
    const home = join(directory.path, name);
    if (!existsSync(join(home, "config"))) configure(name);
    return {
      ...process.env,
      CONTEXTFUL_HOME: home,
      CONTEXTFUL_CONFIG: join(home, "config"),
      CONTEXTFUL_DATABASE: database,
    };
  };
  const start = async (name: string, args: readonly string[], isReady: RegExp): Promise<TeamProcess> => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: directory.path,
      env: environment(name),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const ended = new Promise<number | string>((resolve) =>
      child.once("exit", (code, signal) => resolve(code ?? signal ?? "")),
    );
    await new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        said += chunk.toString("utf8");
        if (isReady.test(said)) resolve();
      };
      child.stdout.on("data", listen);
      child.stderr.on("data", listen);
      void ended.then(() => reject(new Error(`${name} ended: ${said}`)));
      if (isReady.test("")) resolve();
    });
    const one: TeamProcess = {
      child,
      port: Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? 0),
      said: () => said,
      end(signal) {
        child.kill(signal);
        return ended;
      },
    };
    started.push(one);
    return one;
  };
  const secret = "the secret of the team's forge";
  const secretFile = join(directory.path, "secret");
  writeFileSync(secretFile, secret, { mode: 0o600 });
  return {
    secret,
    secretFile,
    directory: directory.path,
    start,
    /** Adds to the configuration of a process or a person. */
    configure,
    /** What a command says on both streams. */
    tell: (...args: string[]) => {
      const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
        cwd: directory.path,
        env: environment("person"),
        encoding: "utf8",
      });
      return stdout + stderr;
    },
    run: (...args: string[]) =>
      execFileSync(process.execPath, [program, ...args], {
        cwd: directory.path,
        env: environment("person"),
        encoding: "utf8",
      }),
    startServer: (name: string, ...args: string[]) =>
      start(name, ["serve", "--database", "--port", "0", ...args], /serves a team on .*\n/),
    startWorker: (name: string, ...args: string[]) => start(name, ["work", "--json", ...args], /^/),
    async [Symbol.asyncDispose]() {
      for (const one of started)
        if (one.child.exitCode === null && one.child.signalCode === null) await one.end("SIGKILL");
      directory[Symbol.dispose]();
    },
  };
}

/** Calls a tool of a server over a real socket. */
export async function askServer(port: number, token: string, tool: string, input: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const notice = response.headers.get("contextful-notice") ?? "";
  return { status: response.status, notice, body: Object(await response.json()) };
}
