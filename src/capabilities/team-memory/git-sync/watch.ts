import { existsSync } from "node:fs";
import { watchProject } from "../../../core/scan/watch.ts";
import type { Call } from "../../../core/tool.ts";
import { noStore } from "../store/locate.ts";
import type { Exchange } from "../tools/exchange.ts";
import type { TeamSync } from "./team-sync.ts";

const QUIET_MS = 3000;
/** What counts in the sum: something went to the remote, or came from it. */
const DELIVERED = new Set(["pushed", "pulled", "merged"]);
const NOTHING_TO_DO = new Set(["nothing_to_push", "up_to_date"]);

interface Watched {
  readonly directory: string;
  readonly pullEveryMs: number;
  readonly quietMs?: number;
}

/** Pushes after the store was quiet for a moment, pulls now and then, until the caller stops it. */
export async function watchMemory(
  sync: TeamSync,
  { directory, pullEveryMs, quietMs = QUIET_MS }: Watched,
  { progress, signal, emit }: Call<Exchange>,
): Promise<{ pushes: number; pulls: number }> {
  const delivered = { push: 0, pull: 0 };
  let turn: Promise<void> = Promise.resolve();
  /** One after the other: a pull must not meet a push of our own. */
  const inTurn = (did: Exchange["did"], work: () => Promise<{ status: string }>) => {
    turn = turn.then(async () => {
      try {
        const { status } = await work();
        if (DELIVERED.has(status)) delivered[did]++;
        if (!NOTHING_TO_DO.has(status)) emit?.({ did, status });
      } catch (thrown) {
        progress.note(thrown instanceof Error ? thrown.message : String(thrown));
      }
    });
    return turn;
  };
  const pull = () => inTurn("pull", () => sync.pull("agent"));
  const push = () => inTurn("push", () => sync.push(""));
  await pull();
  if (!existsSync(directory)) {
    // Says so itself where the store is only missing here.
    await sync.push("");
    throw noStore();
  }
  let isAtIt = false;
  /** A remote that is slow to answer must not make a queue of looks. */
  const look = async () => {
    if (isAtIt) return;
    isAtIt = true;
    await pull();
    await push();
    isAtIt = false;
  };
  const timer = setInterval(() => void look(), pullEveryMs);
  try {
    await Promise.all([watchProject(directory, push, signal, { quietMs }), push()]);
  } finally {
    clearInterval(timer);
    await turn;
  }
  return { pushes: delivered.push, pulls: delivered.pull };
}
