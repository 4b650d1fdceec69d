import { homedir } from "node:os";
import { join, resolve } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Where our own data lives: CONTEXTFUL_HOME, else the XDG data directory. */
export const dataDirectory = (env: Env): string =>
  resolve(
    env["CONTEXTFUL_HOME"] || join(env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "contextful"),
  );

/** Where the user's own config.toml lives. */
export const configDirectory = (env: Env): string =>
  resolve(
    env["CONTEXTFUL_CONFIG"] || join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "contextful"),
  );
