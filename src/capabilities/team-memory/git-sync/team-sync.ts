import { conflictDetail, mergeStatus } from "./conflict-report.ts";
import { abortMerge, finalizeMerge, resolveConflict } from "./conflicts.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { pushAtParting } from "./push-on-shutdown.ts";
import type { SyncDesk } from "./sync-context.ts";

/** Syncing as the room offers it, for one caller. */
export const openTeamSync = (desk: SyncDesk) => ({
  directory: desk.place.directory,
  push: (message: string) => push(desk, { message }),
  pull: (strategy: string) => pull(desk, strategy),
  status: async () => mergeStatus(desk),
  detail: async (filePath: string) => conflictDetail(desk, filePath),
  resolve: (filePath: string, content: string) => resolveConflict(desk, filePath, content),
  finalize: () => finalizeMerge(desk),
  abort: () => abortMerge(desk),
  pushAtParting: () => pushAtParting(desk),
});
export type TeamSync = ReturnType<typeof openTeamSync>;
