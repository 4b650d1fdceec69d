import type { App } from "../../core/room-offer.ts";
import type { RoomName } from "../rooms.ts";
import type { CliContext, OpenOptions } from "./cli-context.ts";
import { OK } from "./exit-codes.ts";
import { readMcpOptions, serveMcp } from "./mcp-command.ts";

export type { CliContext, Services } from "./cli-context.ts";

const CLOSE_MS = 5_000;

/** Runs one command and returns its exit code. Everything it touches is in `context`. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let opened: App | undefined;
  const open = async (options: OpenOptions, room?: RoomName) => {
    if (opened) throw new Error("A run opens one app.");
    opened = await context.services.open(options, room);
    return opened;
  };
  try {
    return await run(argv, { ...context, services: { ...context.services, open } });
  } finally {
    if (opened) await close(opened);
  }
}

/** Clients start `mcp` all the time, and ask for the version first: neither loads the command-line library. */
async function run(argv: readonly string[], context: CliContext): Promise<number> {
  const commands = () => import("./commands.ts");
  if (argv.length === 1 && ["--version", "-v"].includes(argv[0] ?? "")) {
    context.out(`${context.version}\n`);
    return OK;
  }
  const options = argv[0] === "mcp" ? readMcpOptions(argv.slice(1)) : undefined;
  if (!options) return (await commands()).runCommand(argv, context);
  try {
    return await serveMcp(context, options);
  } catch (thrown) {
    return (await commands()).tellThrown(thrown, argv, context);
  }
}

/** A room may still be writing: it gets a few seconds, but does not keep the process for ever. */
async function close(app: App): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([app.close().catch(() => undefined), deadline]);
  clearTimeout(timer);
}
