/**
 * The team's server: who may see which project, which repositories are indexed, by whom and when. The room owns the schema
 * `contextful_team` of the team's database. It promises that a token without a grant learns nothing about a project, that
 * every write and every denied call is in the audit table, and that any process of it may be killed at any moment.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import type { FollowedProject, ProjectRooms } from "./serve/followed-projects.ts";
import type { TeamServer, TeamServerOptions } from "./serve/team-server.ts";
import { teamTools } from "./tools.ts";

export type { FollowedProject, ProjectRooms, TeamServer, TeamServerOptions };

export interface TeamRoom extends RoomOffer {
  /** Serves the team's projects; the HTTP surface asks it who may call what. */
  serve(
    options: Omit<TeamServerOptions, "url"> & { readonly database: string | undefined },
  ): Promise<TeamServer>;
}

/** `rooms` are loaded by the first command that publishes or follows. */
export function openTeam(machine: Machine, rooms: () => Promise<ProjectRooms>): TeamRoom {
  const load = once(async () => new (await import("./team.ts")).LoadedTeam(machine, rooms));
  return { tools: teamTools(load), serve: async (options) => (await load()).serve(options) };
}
