/**
 * The team's server: who may see which project, which repositories are indexed, by whom and when. The room owns the schema
 * `contextful_team` of the team's database. It promises that a token without a grant learns nothing about a project, that
 * every write and every denied call is in the audit table, and that any process of it may be killed at any moment.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import { teamTools } from "./tools.ts";

export function openTeam(machine: Machine): RoomOffer {
  const load = once(async () => new (await import("./team.ts")).LoadedTeam(machine));
  return { tools: teamTools(load) };
}
