import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { DomainError } from "./core/errors.ts";
import { askLine, stopWithParent, userName } from "./process.ts";
import { runCli, type Services } from "./surfaces/cli/index.ts";

/** What the first lines of the program hand on. */
interface Program {
  readonly stop: AbortController;
  /** The only stream that writes to stdout. */
  readonly stdout: Writable;
}

/** Runs the command of this process and returns its exit code. */
export async function main({ stop, stdout }: Program): Promise<number> {
  const version = readVersion();
  // One search checks too few values to compile the checks first.
  if (process.argv[2] === "search") (await import("zod")).config({ jitless: true });
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
    ask: isAtTerminal() ? (question) => askLine(question, stop.signal) : undefined,
    services: servicesOf(version, { stop, stdout }),
  });
}

/** Surfaces and rooms meet here. Each surface is loaded when a command needs it. */
function servicesOf(version: string, { stop, stdout }: Program): Services {
  const mcpSurface = () => import("./surfaces/mcp/index.ts");
  return {
    async open(options, room) {
      const { openMachine } = await import("./app/open-machine.ts");
      const machine = openMachine(options);
      const alone = room && (await (await import("./app/open-room.ts")).openRoomAlone(machine, room));
      return alone ?? (await import("./app.ts")).openApp(machine);
    },
    requireDirectory(root) {
      if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
        throw new DomainError("not_found", `Not a directory: ${root}`);
    },
    async serveMcp({ root, open }, signal, { profile, names }) {
      const { serveStdio } = await import("./surfaces/mcp/stdio.ts");
      stopWithParent(stop);
      await serveStdio(open, { input: process.stdin, output: stdout }, signal, {
        version,
        profile,
        names,
        onFirstCall: (app) => app.startBackground(signal),
        instructions: async () =>
          (await import("./app/room-instructions.ts")).roomInstructions(resolve(root)),
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
      const [
        { listen, teamHttpApp, trustedProxies },
        { mcpHandler },
        { boundedQueue },
        { jsonLogger },
        { openTeamPage },
      ] = await Promise.all([
        import("./surfaces/http/index.ts"),
        mcpSurface(),
        import("./surfaces/queue.ts"),
        import("./core/logger.ts"),
        import("./surfaces/web/index.ts"),
      ]);
      const { openMachine, openTeamRoom } = await import("./app.ts");
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
        page: openTeamPage({ version }),
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
    async startAlone(words) {
      const { spawn } = await import("node:child_process");
      const [program = ""] = process.argv.slice(1);
      spawn(process.execPath, [program, ...words], {
        detached: true,
        stdio: "ignore",
        windowsHide: true,
      }).unref();
    },
    toolDefinitions: async (app, profile) => (await mcpSurface()).toolDefinitions(app, profile),
  };
}

/** Whether somebody can be asked. A client that starts a server asks nobody, so it does not load what tells terminals apart. */
function isAtTerminal(): boolean {
  if (process.argv[2] === "mcp") return false;
  const { isatty } = process.getBuiltinModule("node:tty");
  return isatty(0) && isatty(1);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "unknown";
}
