import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import {
  CLIENT_IDS,
  isClientId,
  type KnownClient,
  type ServerStart,
  type SetupScope,
  type UserEnvironment,
} from "../client.ts";
import { CLIENTS, clientOf } from "../known-clients.ts";
import { type Launch, launchOf, searchPath } from "./launch.ts";
import type { SetupInput } from "./setup-report.ts";

/** One client to set up: in which scope, and how it starts us. */
export interface SetupTarget {
  readonly client: KnownClient;
  readonly scope: SetupScope;
  readonly start: ServerStart;
  readonly launch: Launch;
}

/** The clients named in the input, else those found here. */
export function setupTargets(
  input: SetupInput,
  where: UserEnvironment,
  rooms: readonly string[],
): SetupTarget[] {
  checkProfile(input.tools, rooms);
  const launch = launchOf(input.launch, { node: process.execPath, script: process.argv[1] ?? "" }, where);
  const profile = input.tools === "auto" ? [] : ["--tools", input.tools];
  return chosen(input.clients, where).map((client) => {
    const hasProject = client.file("project", where) !== undefined;
    const scope = input.scope ?? (hasProject ? "project" : "user");
    const root = scope === "project" && client.openFolder ? ["--root", client.openFolder] : [];
    const args = [...launch.args, "mcp", "--tool-names", "safe", ...profile, ...root];
    const start = { command: launch.command, args, env: { MCP_CALLER: `mcp:${client.id}` } };
    return { client, scope, start, launch };
  });
}

function chosen(names: readonly string[], where: UserEnvironment): KnownClient[] {
  if (names.length > 0) return names.filter(isClientId).map(clientOf);
  const found = findClients(where);
  if (found.length > 0) return found;
  throw new DomainError(
    "not_found",
    `No client was found. Name one: contextful setup ${CLIENT_IDS.join("|")}.`,
  );
}

/** Clients that are installed or used here. */
function findClients(where: UserEnvironment): KnownClient[] {
  const endings = where.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const isOnPath = (program: string) =>
    searchPath(where).some((folder) => endings.some((ending) => existsSync(join(folder, program + ending))));
  return CLIENTS.filter(
    (client) => client.signs(where).some((sign) => existsSync(sign)) || client.programs.some(isOnPath),
  );
}

/** The server would not start with an unknown profile, so it must not get into a file. */
function checkProfile(profile: string, rooms: readonly string[]): void {
  if (profile === "auto" || profile === "all" || profile === "lean") return;
  const unknown = profile.split(",").find((room) => !rooms.includes(room.trim()));
  if (unknown !== undefined)
    throw new DomainError(
      "invalid_input",
      `Unknown tools: ${unknown}. Use auto, all, lean, or rooms: ${rooms.join(", ")}.`,
    );
}
