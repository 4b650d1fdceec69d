import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Surroundings } from "./client.ts";

export const xdg = ({ home, env }: Surroundings, ...path: string[]): string =>
  join(env["XDG_CONFIG_HOME"] || join(home, ".config"), ...path);

/** Where desktop programs keep their data. */
export function desktop(where: Surroundings, ...path: string[]): string {
  const { home, env, platform } = where;
  if (platform === "win32") return join(env["APPDATA"] || join(home, "AppData", "Roaming"), ...path);
  if (platform === "darwin") return join(home, "Library", "Application Support", ...path);
  return xdg(where, ...path);
}

export const codexHome = ({ home, env }: Surroundings): string => env["CODEX_HOME"] || join(home, ".codex");
export const devinHome = (where: Surroundings): string =>
  where.platform === "win32" ? desktop(where, "devin") : xdg(where, "devin");
export const zedHome = (where: Surroundings): string =>
  where.platform === "win32" ? desktop(where, "Zed") : xdg(where, "zed");

/** The file that is there, or the one to make. */
export const firstThere = (files: readonly [string, ...string[]]): string =>
  files.find((file) => existsSync(file)) ?? files[0];
