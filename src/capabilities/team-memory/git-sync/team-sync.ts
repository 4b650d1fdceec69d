import { deadline } from "../../../core/deadline.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import { locate, outsideAnyProject } from "../store/locate.ts";
import { readScopes } from "../store/scopes.ts";
import { openSidecars } from "../store/sidecar.ts";
import { abortMerge, conflictDetail, finalizeMerge, mergeStatus, resolveConflict } from "./conflicts.ts";
import { isPending } from "./pending.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";
import type { PushResult } from "./results.ts";
import type { SyncContext } from "./sync-context.ts";

/** A process has five seconds to close; the push must end before that. */
const SHUTDOWN_MS = 4500;

/** Git sync for one caller. */
export const openTeamSync = (context: SyncContext) => ({
  directory: context.place.directory,
  push: (message: string) => push(context, { message }),
  pull: (strategy: string) => pull(context, strategy),
  status: async () => mergeStatus(context),
  detail: async (filePath: string) => conflictDetail(context, filePath),
  resolve: (filePath: string, content: string) => resolveConflict(context, filePath, content),
  finalize: () => finalizeMerge(context),
  abort: () => abortMerge(context),
  pushOnShutdown: () => pushOnShutdown(context),
});
export type TeamSync = ReturnType<typeof openTeamSync>;

/** Git sync for one caller in the project that the machine serves. */
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

/** The push of a server that ends. Outside a project, or with a broken configuration, the server still ends. */
export async function pushMemoryOnShutdown(machine: Machine): Promise<void> {
  const actor = machine.env["MCP_CALLER"] || "mcp:unknown";
  const { signal } = new AbortController();
  const sync = await syncFor(machine, { actor, signal }).catch(() => undefined);
  const result = await sync?.pushOnShutdown();
  if (result?.status === "committed" && result.push_error !== undefined) {
    machine.logger.info(`Memory is committed, not pushed: ${result.push_error}`);
  }
}

/** Best effort: at most five seconds, and never while a merge waits for decisions. */
async function pushOnShutdown(context: SyncContext): Promise<PushResult | undefined> {
  if (!context.settings.push_at_shutdown || isPending(context.place)) return undefined;
  using limit = deadline(SHUTDOWN_MS, context.signal);
  try {
    return await push({ ...context, signal: limit.signal }, { isShutdown: true });
  } catch {
    // A detached HEAD, a rebase in progress, no network: the next push publishes it.
    return undefined;
  }
}
