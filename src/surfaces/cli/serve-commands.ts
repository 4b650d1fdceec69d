import { readFileSync, statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { edgeError } from "../../core/edge-error.ts";
import { DomainError } from "../../core/errors.ts";
import { requireParts } from "../../core/required-parts.ts";
import type { App } from "../../core/room-offer.ts";
import { invoke } from "../../core/tool.ts";
import { callOf, progressOn } from "./call.ts";
import type { CliContext } from "./cli-context.ts";
import { OK } from "./exit-codes.ts";
import { allowedRoots, MCP_OPTIONS, type McpFlags, serveMcp } from "./mcp-command.ts";
import type { CliRun } from "./program.ts";

interface ServeFlags extends McpFlags {
  readonly host?: string;
  readonly port?: number;
  readonly tokenFile?: string;
  readonly readOnly?: boolean;
}

/** `mcp`, `serve` and `start`: the commands that run until they are stopped. */
export function addServeCommands(program: Command, { context, finish }: CliRun): void {
  const mcp = program
    .command("mcp")
    .description("Serve MCP over stdin and stdout, for a client that starts us");
  addMcpOptions(mcp).action(async (options: McpFlags) => finish(await serveMcp(context, options)));
  const serve = program.command("serve").description("Serve MCP and HTTP for one project until stopped");
  serve.addHelpText("after", SERVE_EXAMPLES);
  addTeamOptions(addHttpOptions(serve)).action(async (options: ServeFlags & TeamFlags) =>
    finish(
      await (options.database === undefined ? serveHttp(context, options) : serveTeam(context, options)),
    ),
  );
  const start = program
    .command("start")
    .description("Serve the project here over MCP and HTTP, and index it");
  addHttpOptions(start).action(async (options: ServeFlags) =>
    finish(await serveHttp(context, options, (app) => indexProject(context, app))),
  );
}

const SERVE_EXAMPLES = `
Examples:
  contextful serve --root ~/shop
  contextful serve --database postgres://contextful@db.example.org/contextful --host 0.0.0.0 --webhook-secret-file secret`;

function addMcpOptions(command: Command): Command {
  for (const { flag, value, description, isRepeatable, choices, fallback } of MCP_OPTIONS) {
    const option = new Option(`--${flag} <${value}>`, description);
    if (isRepeatable)
      option.argParser((given: string, before: readonly string[] | undefined) => [...(before ?? []), given]);
    if (choices) option.choices(choices);
    if (fallback !== undefined) option.default(fallback);
    command.addOption(option);
  }
  return command;
}

const addHttpOptions = (command: Command) =>
  addMcpOptions(command)
    .option("--port <N>", "Port to listen on [default: 7331]", portNumber)
    .option("--host <ADDRESS>", "Address to listen on [default: 127.0.0.1]; others need --token-file")
    .option("--token-file <FILE>", "A file, readable by you alone, with the bearer token callers must send")
    .option("--read-only", "Refuse every tool that writes, over MCP and HTTP and on the page");

interface TeamFlags {
  /** `true`: the environment names it. */
  readonly database?: string | true;
  readonly webhookSecretFile?: string;
  readonly trustProxy?: readonly string[];
  readonly cacheGb?: number;
  readonly maxOpen?: number;
}

const addTeamOptions = (command: Command) =>
  command
    .option(
      "--database [URL]",
      "Serve the projects of a team's database instead [default: CONTEXTFUL_DATABASE]; callers need access tokens",
    )
    .option(
      "--webhook-secret-file <FILE>",
      "With --database: a file with the secret that your forge signs webhooks with",
    )
    .option(
      "--trust-proxy <ADDRESS>",
      "With --database: a proxy, or a network such as 10.0.0.0/8, whose Forwarded headers are believed (repeatable)",
      (given: string, before: readonly string[] | undefined) => [...(before ?? []), given],
    )
    .option(
      "--cache-gb <N>",
      "With --database: most gigabytes of indexes on this disk [default: 20]",
      positive,
    )
    .option("--max-open <N>", "With --database: most indexes in memory at once [default: 128]", positive);

async function serveTeam(context: CliContext, options: ServeFlags & TeamFlags): Promise<number> {
  const { database, webhookSecretFile, trustProxy = [], cacheGb = 20, maxOpen = 128 } = options;
  const { host = "127.0.0.1", port = 7331, tools: profile, toolNames: names } = options;
  const listening = await context.services.serveTeam({
    profile,
    names,
    host,
    port,
    database: database === true ? undefined : database,
    webhookSecret: webhookSecretFile === undefined ? undefined : readSecret(webhookSecretFile),
    proxies: trustProxy,
    cacheGigabytes: cacheGb,
    maxOpen,
  });
  context.err(`Contextful ${context.version} serves a team on http://${host}:${listening.port}/mcp\n`);
  await aborted(context.signal);
  await listening.close();
  return OK;
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError("Give a number above 0.");
}

async function serveHttp(
  context: CliContext,
  options: ServeFlags,
  onServing?: (app: App) => Promise<void>,
): Promise<number> {
  const { services, signal, cwd } = context;
  const { root = cwd, cacheRoot, allowRoot = [], tools: profile, toolNames: names } = options;
  services.requireDirectory(root);
  requireParts();
  (await import("../../core/store/sqlite-driver.ts")).sqliteDriver();
  const app = await services.open({ root, cacheRoot, allowed: allowedRoots(root, allowRoot) });
  const bind = (await app.machine.config()).server.bind;
  const host = options.host ?? bind.slice(0, bind.lastIndexOf(":"));
  const port = options.port ?? portNumber(bind.slice(bind.lastIndexOf(":") + 1));
  const token = options.tokenFile === undefined ? undefined : readSecret(options.tokenFile);
  const listening = await services.serveHttp(app, {
    profile,
    names,
    host,
    port,
    token,
    isReadOnly: options.readOnly ?? false,
  });
  announce(context, app.machine.root, `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}`);
  app.startBackground(signal);
  await onServing?.(app);
  await aborted(signal);
  await listening.close();
  return OK;
}

/** `start` makes the project searchable. A project without code is served as well. */
async function indexProject(context: CliContext, app: App): Promise<void> {
  const tool = app.tools.find(({ name }) => name === "index_codebase");
  if (!tool) return;
  const progress = progressOn(context);
  context.err(`Indexing ${app.machine.root}\n`);
  try {
    const output = await invoke(tool, { path: app.machine.root }, callOf(context, progress));
    progress.end();
    context.err(`${tool.show(output)}\n`);
  } catch (thrown) {
    progress.end();
    if (!context.signal.aborted)
      context.err(`Not indexed: ${edgeError(thrown, app.machine.logger).message}\n`);
  }
}

function announce(context: CliContext, root: string, address: string): void {
  context.err(`Contextful ${context.version} serves ${root}
  Page  ${address}/
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

function readSecret(file: string): string {
  try {
    const isOpen = process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
    const token = readFileSync(file, "utf8").trim();
    if (isOpen)
      throw new DomainError("invalid_input", `${file} can be read by others. Run: chmod 600 ${file}`);
    if (token.length >= 16) return token;
  } catch (thrown) {
    if (thrown instanceof DomainError) throw thrown;
    throw new DomainError("not_found", `Cannot read ${file}.`, { cause: thrown });
  }
  throw new DomainError("invalid_input", `The secret in ${file} is shorter than 16 characters.`);
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
