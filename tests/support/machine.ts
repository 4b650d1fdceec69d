import { join } from "node:path";
import { Config } from "../../src/core/config/config.ts";
import { allowRoots } from "../../src/core/files/allowed-roots.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Machine } from "../../src/core/machine.ts";
import { silentProgress } from "../../src/core/progress.ts";
import type { Call } from "../../src/core/tool.ts";

/** A machine for tests: everything is real, the data directory is beside the project, the clock does not move. */
export function testMachine(root: string, overrides: Partial<Machine> = {}): Machine {
  return {
    root,
    roots: allowRoots(root),
    home: join(root, "..", "contextful-home"),
    cacheRoot: join(root, ".context-caches"),
    config: async () => Config.parse({}),
    logger: silentLogger,
    now: () => new Date("2026-01-02T03:04:05Z"),
    env: {},
    ...overrides,
  };
}

export const testCall = (overrides: Partial<Call> = {}): Call => ({
  signal: new AbortController().signal,
  progress: silentProgress,
  actor: "test@host",
  caller: "agent",
  ...overrides,
});
