#!/usr/bin/env node
import { existsSync, readFileSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { isatty } from "node:tty";
import { DomainError } from "./core/errors.ts";
import { dataDirectory } from "./core/home.ts";
import type { Services } from "./surfaces/cli/index.ts";
import { takeStdout } from "./surfaces/mcp/stdout-guard.ts";

const SIGPIPE_EXIT = 141;
const INTERRUPTED_EXIT = 130;
const PARENT_CHECK_MS = 2_000;

const stop = new AbortController();
watchProcess();
// Before anything else is loaded: what a module prints while it loads would already break the protocol.
const stdout = process.argv[2] === "mcp" ? takeStdout() : process.stdout;
keepCompiledCode();
process.exitCode = await main();
// Whatever a library left open must not keep the process; what was printed must be out.
stdout.write("", () => process.exit());

async function main(): Promise<number> {
  const [{ runCli }, version] = [await import("./surfaces/cli/index.ts"), readVersion()];
  return runCli(process.argv.slice(2), {
    version,
    env: process.env,
    cwd: process.cwd(),
    signal: stop.signal,
    actor: `${userName()}@${hostname()}`,
    out: (text) => void stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminalWidth:
      process.stderr.isTTY && process.env["TERM"] !== "dumb" ? process.stderr.columns : undefined,
    ask: isatty(0) && isatty(1) ? askAtTerminal : undefined,
    services: await servicesOf(version),
  });
}

async function askAtTerminal(question: string): Promise<string | undefined> {
  const { askLine } = await import("./surfaces/cli/ask.ts");
  return askLine({ input: process.stdin, output: process.stdout }, question, stop.signal);
}

/** The surfaces and the rooms meet here: each is loaded when a command needs it. */
async function servicesOf(version: string): Promise<Services> {
  const { openApp, openMachine } = await import("./app.ts");
  const mcpSurface = () => import("./surfaces/mcp/index.ts");
  return {
    open(options) {
      // Tools answer for a project that is not there in many ways; a person who mistyped wants one, at once.
      if (!statSync(options.root, { throwIfNoEntry: false })?.isDirectory())
        throw new DomainError("not_found", `Not a directory: ${options.root}`);
      return openApp(openMachine({ ...options, env: process.env }));
    },
    async serveMcp(app, signal, { profile, names }) {
      const { serveStdio } = await mcpSurface();
      endWithParent();
      await serveStdio(app, { input: process.stdin, output: stdout }, signal, {
        version,
        profile,
        names,
        onFirstCall: () => app.startBackground(signal),
      });
    },
    async serveHttp(app, { host, port, token, profile, names }) {
      const [{ httpApp, listen }, { mcpHandler }] = await Promise.all([
        import("./surfaces/http/index.ts"),
        mcpSurface(),
      ]);
      const mcp = mcpHandler(app, { version, profile, names });
      return listen(httpApp(app, { version, mcp: mcp.fetch, host, token }), { host, port });
    },
    toolDefinitions: async (app, profile) => (await mcpSurface()).toolDefinitions(app, profile),
  };
}

function watchProcess(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // The second one means it.
      if (stop.signal.aborted) process.exit(INTERRUPTED_EXIT);
      stop.abort();
    });
  }
  const told = (what: string, thrown: unknown) =>
    process.stderr.write(
      `contextful error: ${what}: ${thrown instanceof Error ? thrown.stack : String(thrown)}\n`,
    );
  process.on("unhandledRejection", (reason) => told("a failure nobody waited for", reason));
  process.on("uncaughtException", (error) => {
    told("ended by a bug", error);
    process.exit(1);
  });
  process.stdout.on("error", () => process.exit(SIGPIPE_EXIT));
  process.stderr.on("error", () => {});
}

/** A client that was killed closes nothing; when its process is gone we are somebody else's child. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop.abort(), PARENT_CHECK_MS).unref();
}

/** Newer Nodes keep compiled code on disk; only where our data directory exists already, so that a look leaves nothing behind. */
function keepCompiledCode(): void {
  const home = dataDirectory(process.env);
  const isOffered = "enableCompileCache" in nodeModule && typeof nodeModule.enableCompileCache === "function";
  if (isOffered && existsSync(home)) nodeModule.enableCompileCache(join(home, "compiled"));
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "unknown";
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env["USER"] ?? "unknown";
  }
}
