import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { sha256 } from "./hash.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where our own data lives: CONTEXTFUL_HOME, else the XDG data directory. */
export const dataDirectory = (env: Environment): string =>
  resolve(
    env["CONTEXTFUL_HOME"] || join(env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "contextful"),
  );

/** Where the user's own config.toml lives. */
export const configDirectory = (env: Environment): string =>
  resolve(
    env["CONTEXTFUL_CONFIG"] || join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "contextful"),
  );

/** Where our data about one project lives: outside the project, named after its real path. */
export const projectDataDirectory = (home: string, root: string): string =>
  join(home, "projects", sha256(root).slice(0, 16));
