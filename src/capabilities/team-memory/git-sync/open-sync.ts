import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import { locate, outsideAnyProject } from "../store/locate.ts";
import { readScopes } from "../store/scopes.ts";
import { openSidecars } from "../store/sidecar.ts";
import { openTeamSync, type TeamSync } from "./team-sync.ts";

/** Syncing for one caller on the project the machine serves, found anew each time. */
export async function syncFor(
  machine: Machine,
  { actor, signal }: Pick<Call, "actor" | "signal">,
): Promise<TeamSync> {
  const place = locate(machine.root);
  if (place === undefined) throw outsideAnyProject();
  return openTeamSync({
    place,
    settings: (await machine.config()).memory,
    scopes: () => readScopes(openSidecars(place.directory)),
    now: () => machine.now(),
    actor,
    signal,
  });
}

/** What a server does when it ends. Not being in a project, or a broken configuration, must not keep it from ending. */
export async function partFrom(machine: Machine): Promise<void> {
  const actor = machine.env["MCP_CALLER"] || "mcp:unknown";
  const { signal } = new AbortController();
  const sync = await syncFor(machine, { actor, signal }).catch(() => undefined);
  const result = await sync?.pushAtParting();
  if (result?.status === "committed" && result.push_error !== undefined) {
    machine.logger.info(`Memory is committed, not pushed: ${result.push_error}`);
  }
}
