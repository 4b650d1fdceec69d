import type { App } from "../../core/room-offer.ts";
import { mcpOptions, serveMcp } from "./mcp-command.ts";
import type { World } from "./world.ts";

export type { HttpServing, McpServing, OpenOptions, Services, World } from "./world.ts";

/** Runs one command and gives its exit code. Everything it touches is in `world`. */
export async function runCli(argv: readonly string[], world: World): Promise<number> {
  const opened: App[] = [];
  const services = {
    ...world.services,
    open: (options: Parameters<World["services"]["open"]>[0]) => {
      const app = world.services.open(options);
      opened.push(app);
      return app;
    },
  };
  try {
    return await run(argv, { ...world, services });
  } finally {
    await closeAll(opened);
  }
}

/** Clients start `mcp` all the time: used rightly, it goes without the machinery of commands. */
async function run(argv: readonly string[], world: World): Promise<number> {
  const commands = () => import("./commands.ts");
  const options = argv[0] === "mcp" ? mcpOptions(argv.slice(1)) : undefined;
  if (!options) return (await commands()).runCommand(argv, world);
  try {
    return await serveMcp(world, options);
  } catch (thrown) {
    return (await commands()).tellThrown(thrown, argv, world);
  }
}

/** A room may be writing; it gets a few seconds, never for ever. */
async function closeAll(apps: readonly App[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 5_000);
  });
  await Promise.race([Promise.allSettled(apps.map((app) => app.close())), deadline]);
  clearTimeout(timer);
}
