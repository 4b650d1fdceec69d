import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KnownClient, Surroundings } from "../client.ts";
import { CLIENTS } from "../known-clients.ts";

/** Clients that are installed or used here. */
export function findClients(where: Surroundings): KnownClient[] {
  const folders = (where.env["PATH"] ?? "").split(where.platform === "win32" ? ";" : ":").filter(Boolean);
  const endings = where.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const isOnPath = (program: string) =>
    folders.some((folder) => endings.some((ending) => existsSync(join(folder, program + ending))));
  return CLIENTS.filter(
    (client) => client.signs(where).some((sign) => existsSync(sign)) || client.programs.some(isOnPath),
  );
}
