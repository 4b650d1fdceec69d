import { edgeError } from "../../core/edge-error.ts";
import type { App } from "../../core/room-offer.ts";
import { invoke } from "../../core/tool.ts";
import { callOf } from "./call.ts";
import { progressOn } from "./progress.ts";
import type { World } from "./world.ts";

/** What `start` does first: the project becomes searchable. A project without code is served all the same. */
export async function indexBeforeServing(world: World, app: App): Promise<void> {
  const tool = app.tools.find(({ name }) => name === "index_codebase");
  if (!tool) return;
  const progress = progressOn(world);
  world.err(`Indexing ${app.machine.root}\n`);
  try {
    const output = await invoke(tool, { path: app.machine.root }, callOf(world, progress));
    progress.end();
    world.err(`${tool.show(output)}\n`);
  } catch (thrown) {
    progress.end();
    if (!world.signal.aborted) world.err(`Not indexed: ${edgeError(thrown, app.machine.logger).message}\n`);
  }
}
