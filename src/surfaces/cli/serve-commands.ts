import { readFileSync, statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { DomainError } from "../../core/errors.ts";
import type { App } from "../../core/room-offer.ts";
import { OK } from "./exit-codes.ts";
import { type McpOptions, serveMcp, widened } from "./mcp-command.ts";
import type { Place } from "./program.ts";
import { indexBeforeServing } from "./start.ts";
import type { World } from "./world.ts";

interface Options extends McpOptions {
  readonly host?: string;
  readonly port?: number;
  readonly tokenFile?: string;
}

/** `mcp`, `serve` and `start`: the commands that stay. */
export function addServeCommands(program: Command, { world, finish }: Place): void {
  const mcp = program
    .command("mcp")
    .description("Serve MCP over stdin and stdout, for a client that starts us");
  shared(mcp).action(async (options: McpOptions) => finish(await serveMcp(world, options)));
  const serve = program.command("serve").description("Serve MCP and HTTP for one project until stopped");
  http(shared(serve)).action(async (options: Options) => finish(await serveHttp(world, options)));
  const start = program
    .command("start")
    .description("Index the project here, then serve it over MCP and HTTP");
  http(shared(start)).action(async (options: Options) =>
    finish(await serveHttp(world, options, (app) => indexBeforeServing(world, app))),
  );
}

const shared = (command: Command) =>
  command
    .option("--root <DIR>", "The project to serve, where it is not the current directory")
    .option("--cache-root <DIR>", "Where caches are found by name [default: .context-caches in the project]")
    .addOption(
      new Option(
        "--allow-root <DIR>",
        "A directory tools may be pointed at; * for any (repeatable)",
      ).argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]),
    )
    .option("--tools <PROFILE>", "What is listed: all, lean, or rooms separated by commas", "all")
    .addOption(
      new Option("--tool-names <FORM>", "contract, or safe: without dots")
        .choices(["contract", "safe"])
        .default("contract"),
    );

const http = (command: Command) =>
  command
    .option("--port <N>", "Port to listen on [default: 7331]", portNumber)
    .option("--host <ADDRESS>", "Address to listen on [default: 127.0.0.1]; others need --token-file")
    .option("--token-file <FILE>", "A file, readable by you alone, with the bearer token callers must send");

async function serveHttp(
  world: World,
  options: Options,
  before?: (app: App) => Promise<void>,
): Promise<number> {
  const { root = world.cwd, cacheRoot, allowRoot = [], tools: profile, toolNames: names } = options;
  const app = world.services.open({ root, cacheRoot, allowed: widened(root, allowRoot) });
  const bind = (await app.machine.config()).server.bind;
  const host = options.host ?? bind.slice(0, bind.lastIndexOf(":"));
  const port = options.port ?? portNumber(bind.slice(bind.lastIndexOf(":") + 1));
  const token = options.tokenFile === undefined ? undefined : readToken(options.tokenFile);
  const listening = await world.services.serveHttp(app, { profile, names, host, port, token });
  await before?.(app);
  if (!world.signal.aborted)
    say(world, app.machine.root, `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}`);
  app.startBackground(world.signal);
  await aborted(world.signal);
  await listening.close();
  return OK;
}

function say(world: World, root: string, address: string): void {
  world.err(`Contextful ${world.version} serves ${root}
  MCP   ${address}/mcp
  HTTP  ${address}/tools/NAME, listed at ${address}/openapi.json
Next: connect a client, for example
  claude mcp add --transport http contextful ${address}/mcp
  contextful setup            (finds your clients and shows what it would write)
Stop with Ctrl-C.
`);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

function readToken(file: string): string {
  try {
    const isOpen = process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
    const token = readFileSync(file, "utf8").trim();
    if (isOpen)
      throw new DomainError("invalid_input", `${file} can be read by others. Run: chmod 600 ${file}`);
    if (token.length >= 16) return token;
  } catch (thrown) {
    if (thrown instanceof DomainError) throw thrown;
    throw new DomainError("not_found", `Cannot read the token file ${file}.`, { cause: thrown });
  }
  throw new DomainError("invalid_input", `The token in ${file} is shorter than 16 characters.`);
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
