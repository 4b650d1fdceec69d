import { deadline } from "../../../core/deadline.ts";
import { isPending } from "./pending.ts";
import { push } from "./push.ts";
import type { PushResult } from "./push-result.ts";
import type { SyncDesk } from "./sync-context.ts";

/** Below the five seconds a process has for closing, so that it ends by itself. */
const LONGEST_MS = 4500;

/** The push when a server ends: best effort, at most five seconds, and never in the middle of something. */
export async function pushAtParting(desk: SyncDesk): Promise<PushResult | undefined> {
  if (!desk.settings.push_at_shutdown || isPending(desk.place)) return undefined;
  using limit = deadline(LONGEST_MS, desk.signal);
  try {
    return await push({ ...desk, signal: limit.signal }, { isParting: true });
  } catch {
    // A detached HEAD, a rebase under way, no network: the next push will deliver it.
    return undefined;
  }
}
