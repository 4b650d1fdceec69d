import { join, resolve } from "node:path";
import { allowRoots } from "../core/files/allowed-roots.ts";
import { dataDirectory } from "../core/home.ts";
import { once } from "../core/lazy.ts";
import { type Logger, stderrLogger } from "../core/logger.ts";
import type { Machine } from "../core/machine.ts";

interface MachineOptions {
  readonly root: string;
  readonly cacheRoot?: string | undefined;
  /** Directories tools may be pointed at; undefined: any the user can read. */
  readonly allowed?: readonly string[] | undefined;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly logger?: Logger;
}

/** The real machine: real clock, real configuration, data outside the project. Nothing is read before it is needed. */
export function openMachine({
  root,
  cacheRoot,
  allowed,
  env = process.env,
  logger = stderrLogger(),
}: MachineOptions): Machine {
  const project = resolve(root);
  return {
    root: project,
    roots: allowRoots(project, allowed),
    home: dataDirectory(env),
    cacheRoot: cacheRoot === undefined ? join(project, ".context-caches") : resolve(cacheRoot),
    config: once(async () => {
      const { loadConfig } = await import("../core/config/load.ts");
      return loadConfig({ root: project, env });
    }),
    logger,
    now: () => new Date(),
    env,
  };
}
