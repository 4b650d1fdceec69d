import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { deadline } from "../../../core/deadline.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import { locate, outsideAnyProject } from "../store/locate.ts";
import type { OwnWrites } from "../store/own-writes.ts";
import { readScopes } from "../store/scopes.ts";
import { openSidecars } from "../store/sidecar.ts";
import { abortMerge, conflictDetail, finalizeMerge, mergeStatus, resolveConflict } from "./conflicts.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { planPush } from "./push-plan.ts";
import { openRepository, shortBranch } from "./repository/repository.ts";
import { pushOwnWrites, type ShutdownPush } from "./shutdown-push.ts";
import type { SyncContext } from "./sync-context.ts";

/** A process has five seconds to close; the push must end before that. */
const SHUTDOWN_MS = 4500;

/** Git sync for one caller. */
export const openTeamSync = (context: SyncContext) => ({
  directory: context.place.directory,
  push: (message: string) => push(context, message),
  plan: () => planPush(context),
  pull: (strategy: string) => pull(context, strategy),
  status: async () => mergeStatus(context),
  detail: async (filePath: string) => conflictDetail(context, filePath),
  resolve: (filePath: string, content: string) => resolveConflict(context, filePath, content),
  finalize: () => finalizeMerge(context),
  abort: () => abortMerge(context),
  pushOnShutdown: (written: OwnWrites) => pushOnShutdown(context, written),
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

/** Whether a server pushes what it wrote when it ends. */
async function isPushedAtShutdown(machine: Machine): Promise<boolean> {
  const said = machine.env["CONTEXTFUL_PUSH_AT_SHUTDOWN"]?.toLowerCase();
  if (said === "false" || said === "0" || said === "no") return false;
  return (await machine.config()).memory.push_at_shutdown;
}

/** Where entries will be pushed when this server ends; `undefined`: they stay here. */
export async function describeSharing(machine: Machine): Promise<string | undefined> {
  const place = locate(machine.root);
  if (place === undefined || !(await isPushedAtShutdown(machine))) return undefined;
  const { branch } = (await machine.config()).memory;
  const { remote } = await openRepository(place, branch).catch(() => ({ remote: undefined }));
  if (remote === undefined) return undefined;
  return `This entry is pushed to ${remote.name} ${shortBranch(remote)} when this server ends. To stop that: set its scope to private, or push_at_shutdown = false under [memory] in the user's config.toml.`;
}

/** The push of a server that ends, and what it says about it. With a broken configuration the server still ends. */
export async function pushMemoryOnShutdown(machine: Machine, written: OwnWrites): Promise<void> {
  const actor = machine.env["MCP_CALLER"] || "mcp:unknown";
  const { signal } = new AbortController();
  const isWanted = await isPushedAtShutdown(machine).catch(() => false);
  const sync = isWanted ? await syncFor(machine, { actor, signal }).catch(() => undefined) : undefined;
  const result = await sync?.pushOnShutdown(written);
  if (result === undefined) return;
  if (result.status === "not_pushed") {
    machine.logger.info(`Team memory was not pushed: ${result.push_error}`);
    return;
  }
  const { commit, to, files } = result;
  machine.logger.info(
    `Team memory: pushed ${files.join(", ")} to ${to} (${commit}). Turn this off with push_at_shutdown = false under [memory] in your config.toml.`,
  );
  const event = {
    at: machine.now().toISOString(),
    event: "memory_pushed",
    root: machine.root,
    to,
    commit,
    files,
  };
  await appendAudit(machine.home, event);
}

/** What reached a remote, one JSON object per line, in the data directory. */
async function appendAudit(home: string, event: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await appendFile(join(home, "audit.log"), `${JSON.stringify(event)}\n`, { mode: 0o600 });
}

/** Best effort: at most five seconds, and never while a merge waits for decisions. */
async function pushOnShutdown(context: SyncContext, written: OwnWrites): Promise<ShutdownPush | undefined> {
  if (!context.settings.push_at_shutdown) return undefined;
  using limit = deadline(SHUTDOWN_MS, context.signal);
  try {
    return await pushOwnWrites({ ...context, signal: limit.signal }, written);
  } catch {
    // A detached HEAD, a rebase in progress, no network: the next push publishes it.
    return undefined;
  }
}
