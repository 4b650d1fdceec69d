import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { OK } from "./exit-codes.ts";
import type { World } from "./world.ts";

export interface McpOptions {
  readonly root?: string | undefined;
  readonly cacheRoot?: string | undefined;
  readonly allowRoot?: readonly string[] | undefined;
  readonly tools: string;
  readonly toolNames: "contract" | "safe";
}

/** The flags of `mcp` as they are meant; `undefined` for anything else, which the commands then explain. */
export function mcpOptions(args: readonly string[]): McpOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        root: { type: "string" },
        "cache-root": { type: "string" },
        "allow-root": { type: "string", multiple: true },
        tools: { type: "string", default: "all" },
        "tool-names": { type: "string", default: "contract" },
      },
    });
    const { root, "cache-root": cacheRoot, "allow-root": allowRoot, tools, "tool-names": toolNames } = values;
    if (toolNames !== "contract" && toolNames !== "safe") return undefined;
    return { root, cacheRoot, allowRoot, tools, toolNames };
  } catch {
    return undefined;
  }
}

export async function serveMcp(world: World, options: McpOptions): Promise<number> {
  const { root = world.cwd, cacheRoot, allowRoot, tools: profile, toolNames: names } = options;
  const allowed = allowRoot === undefined ? undefined : widened(root, allowRoot);
  const app = world.services.open({ root, cacheRoot, allowed });
  await world.services.serveMcp(app, world.signal, { profile, names });
  return OK;
}

/** `*` opens every directory; otherwise the project and what was named. */
export const widened = (root: string, named: readonly string[]): readonly string[] | undefined =>
  named.includes("*") ? undefined : [resolve(root), ...named.map((name) => resolve(name))];
