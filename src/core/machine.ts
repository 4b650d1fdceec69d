import type { Config } from "./config/config.ts";
import type { AllowedRoots } from "./files/allowed-roots.ts";
import type { Logger } from "./logger.ts";

/** What app.ts passes to every room it opens: the machine, never another room. */
export interface Machine {
  /** The project this process serves: an absolute directory. */
  readonly root: string;
  /** Which directories a tool may be given as a path. */
  readonly roots: AllowedRoots;
  /** Our own data directory, outside the project, mode 0700; created on first write. */
  readonly home: string;
  /** Where `context-caches` finds caches by name; default `<root>/.context-caches`. */
  readonly cacheRoot: string;
  /** Read on first use, so that startup reads no file. */
  config(): Promise<Config>;
  readonly logger: Logger;
  now(): Date;
  readonly env: Readonly<Record<string, string | undefined>>;
}
