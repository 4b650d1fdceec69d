import { existsSync } from "node:fs";
import { watchProject } from "../../../core/scan/watch.ts";
import type { Call } from "../../../core/tool.ts";
import { noStore } from "../store/locate.ts";
import type { SyncEvent } from "./results.ts";
import type { TeamSync } from "./team-sync.ts";

const QUIET_MS = 3000;
/** Statuses that mean that something was sent or received. */
const TRANSFERRED = new Set(["pushed", "pulled", "merged"]);
const NOTHING_TO_DO = new Set(["nothing_to_push", "up_to_date"]);

interface MemoryWatchOptions {
  readonly directory: string;
  readonly pullEveryMs: number;
  readonly quietMs?: number;
}

/** Pushes shortly after each change and pulls at intervals, until the caller stops it. */
export async function watchMemory(
  sync: TeamSync,
  { directory, pullEveryMs, quietMs = QUIET_MS }: MemoryWatchOptions,
  { progress, signal, emit }: Call<SyncEvent>,
): Promise<{ pushes: number; pulls: number }> {
  const counts = { push: 0, pull: 0 };
  let last: Promise<void> = Promise.resolve();
  /** One at a time: a pull must not overlap with our own push. */
  const enqueue = (did: SyncEvent["did"], work: () => Promise<{ status: string }>) => {
    last = last.then(async () => {
      try {
        const { status } = await work();
        if (TRANSFERRED.has(status)) counts[did]++;
        if (!NOTHING_TO_DO.has(status)) emit?.({ did, status });
      } catch (thrown) {
        progress.note(thrown instanceof Error ? thrown.message : String(thrown));
      }
    });
    return last;
  };
  const pull = () => enqueue("pull", () => sync.pull("agent"));
  const push = () => enqueue("push", () => sync.push(""));
  await pull();
  if (!existsSync(directory)) {
    // Throws a better error if the branch has a store that is missing here.
    await sync.push("");
    throw noStore();
  }
  let isSyncing = false;
  /** A slow remote must not make the queue grow. */
  const syncBoth = async () => {
    if (isSyncing) return;
    isSyncing = true;
    await pull();
    await push();
    isSyncing = false;
  };
  const timer = setInterval(() => void syncBoth(), pullEveryMs);
  try {
    await Promise.all([watchProject(directory, push, signal, { quietMs }), push()]);
  } finally {
    clearInterval(timer);
    await last;
  }
  return { pushes: counts.push, pulls: counts.pull };
}
