import { DomainError } from "../../core/errors.ts";
import {
  CLIENT_IDS,
  isClientId,
  type KnownClient,
  type Scope,
  type Start,
  type Surroundings,
} from "./client.ts";
import { findClients } from "./detect.ts";
import { clientOf } from "./known-clients.ts";
import { type Launch, launchOf } from "./launch.ts";
import type { SetupInput } from "./setup-report.ts";

/** One client to set up: where, and how it shall start us. */
export interface Order {
  readonly client: KnownClient;
  readonly scope: Scope;
  readonly start: Start;
  readonly launch: Launch;
}

/** What the input asks for, for the clients named or those found here. */
export function ordersOf(input: SetupInput, where: Surroundings, rooms: readonly string[]): Order[] {
  checkProfile(input.tools, rooms);
  const running = { node: process.execPath, script: process.argv[1] ?? "", platform: where.platform };
  const launch = launchOf(input.launch, running);
  const profile = input.tools === "all" ? [] : ["--tools", input.tools];
  return chosen(input.clients, where).map((client) => {
    const hasProject = client.file("project", where) !== undefined;
    const scope = input.scope ?? (hasProject ? "project" : "user");
    const root = scope === "project" && client.openFolder ? ["--root", client.openFolder] : [];
    const args = [...launch.args, "mcp", "--tool-names", "safe", ...profile, ...root];
    const start = { command: launch.command, args, env: { MCP_CALLER: `mcp:${client.id}` } };
    return { client, scope, start, launch };
  });
}

function chosen(names: readonly string[], where: Surroundings): KnownClient[] {
  if (names.length > 0) return names.filter(isClientId).map(clientOf);
  const found = findClients(where);
  if (found.length > 0) return found;
  throw new DomainError(
    "not_found",
    `No client was found. Name one: contextful setup ${CLIENT_IDS.join("|")}.`,
  );
}

/** A profile the server would not start with must not get into a file. */
function checkProfile(profile: string, rooms: readonly string[]): void {
  if (profile === "all" || profile === "lean") return;
  const unknown = profile.split(",").find((room) => !rooms.includes(room.trim()));
  if (unknown !== undefined)
    throw new DomainError(
      "invalid_input",
      `Unknown tools: ${unknown}. Use all, lean, or rooms: ${rooms.join(", ")}.`,
    );
}
