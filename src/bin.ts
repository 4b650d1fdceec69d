#!/usr/bin/env node
import { readFileSync, statSync } from "node:fs";
import { isatty } from "node:tty";
import { DomainError } from "./core/errors.ts";
import { dataDirectory } from "./core/home.ts";
import {
  askLine,
  keepCompiledCode,
  skipWasmOptimiser,
  stopWithParent,
  takeStdout,
  userName,
  watchProcess,
} from "./process.ts";
import type { Services } from "./surfaces/cli/index.ts";

/** Servers may publish what they wrote before they end. Any other command ends within a second of a signal. */
const SERVERS = ["mcp", "serve", "start"];
const isServer = SERVERS.includes(process.argv[2] ?? "");
const stop = watchProcess({ graceMs: isServer ? undefined : 900 });
// Before anything else is loaded: a module that prints while it loads would already break the protocol.
const stdout = process.argv[2] === "mcp" ? takeStdout() : process.stdout;
keepCompiledCode(dataDirectory(process.env));
if (process.argv[2] === "search") skipWasmOptimiser();
process.exitCode = await main();
// An open handle of a library must not keep the process, but everything printed must be written first.
stdout.write("", () => process.exit());
// After a signal, a client that never reads its answers must not keep a server alive.
const leave = () => void setTimeout(() => process.exit(), 500).unref();
if (isServer && stop.signal.aborted) leave();
else if (isServer) stop.signal.addEventListener("abort", leave);

async function main(): Promise<number> {
  const [{ runCli }, version] = [await import("./surfaces/cli/index.ts"), readVersion()];
  return runCli(process.argv.slice(2), {
    version,
    env: process.env,
    cwd: process.cwd(),
    signal: stop.signal,
    actor: userName(),
    out: (text) => void stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminalWidth:
      process.stderr.isTTY && process.env["TERM"] !== "dumb" ? process.stderr.columns : undefined,
    ask: isatty(0) && isatty(1) ? (question) => askLine(question, stop.signal) : undefined,
    services: await servicesOf(version),
  });
}

/** Surfaces and rooms meet here. Each surface is loaded when a command needs it. */
async function servicesOf(version: string): Promise<Services> {
  const { openMachine } = await import("./app/open-machine.ts");
  const mcpSurface = () => import("./surfaces/mcp/index.ts");
  return {
    async open(options, room) {
      const machine = openMachine(options);
      const alone = room && (await (await import("./app/open-room.ts")).openRoomAlone(machine, room));
      return alone ?? (await import("./app.ts")).openApp(machine);
    },
    requireDirectory(root) {
      if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
        throw new DomainError("not_found", `Not a directory: ${root}`);
    },
    async serveMcp(app, signal, { profile, names }) {
      const { serveStdio } = await mcpSurface();
      stopWithParent(stop);
      await serveStdio(app, { input: process.stdin, output: stdout }, signal, {
        version,
        profile,
        names,
        onFirstCall: () => app.startBackground(signal),
      });
    },
    async serveHttp(opened, { host, port, token, profile, names, isReadOnly }) {
      const [{ httpApp, listen }, { mcpHandler }, { boundedQueue }, { CallLog }, { openPage }] =
        await Promise.all([
          import("./surfaces/http/index.ts"),
          mcpSurface(),
          import("./surfaces/queue.ts"),
          import("./surfaces/call-log.ts"),
          import("./surfaces/web/index.ts"),
        ]);
      const app = isReadOnly
        ? { ...opened, tools: opened.tools.filter(({ effect }) => effect === "reads") }
        : opened;
      const queue = boundedQueue();
      const calls = new CallLog(() => app.machine.now());
      const mcp = mcpHandler(app, { version, profile, names, queue, calls });
      const page = openPage(app, { version, calls, token, isReadOnly });
      return listen(httpApp(app, { version, mcp: mcp.fetch, host, token, queue, page, calls }), {
        host,
        port,
      });
    },
    async serveTeam({
      host,
      port,
      database,
      webhookSecret,
      proxies,
      cacheGigabytes,
      maxOpen,
      profile,
      names,
    }) {
      const [{ listen, teamHttpApp, trustedProxies }, { mcpHandler }, { boundedQueue }, { jsonLogger }] =
        await Promise.all([
          import("./surfaces/http/index.ts"),
          mcpSurface(),
          import("./surfaces/queue.ts"),
          import("./core/logger.ts"),
        ]);
      const { openTeamRoom } = await import("./app.ts");
      const { logger, log } = jsonLogger();
      const room = openTeamRoom(openMachine({ root: process.cwd(), logger }));
      const cacheBytes = cacheGigabytes * 1_000_000_000;
      const team = await room.serve({ database, webhookSecret, cacheBytes, maxOpen });
      const queue = boundedQueue();
      const hono = teamHttpApp(team, {
        version,
        queue,
        logger,
        log,
        proxies: trustedProxies(proxies),
        mcpFor: (app) => mcpHandler(app, { version, profile, names, queue }).fetch,
      });
      const listening = await listen(hono, { host, port, graceMs: 20_000 });
      return {
        port: listening.port,
        async close() {
          team.endEvents();
          await listening.close();
          await team[Symbol.asyncDispose]();
        },
      };
    },
    toolDefinitions: async (app, profile) => (await mcpSurface()).toolDefinitions(app, profile),
  };
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "unknown";
}
