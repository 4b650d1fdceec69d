import { watchProject } from "../../../core/scan/watch.ts";
import type { Call } from "../../../core/tool.ts";
import type { TeamSync } from "./team-sync.ts";

const QUIET_MS = 3000;

/** Pushes after the store was quiet for a moment, pulls now and then, until the caller stops it. */
export async function watchMemory(
  sync: TeamSync,
  { directory, pullEveryMs }: { readonly directory: string; readonly pullEveryMs: number },
  { progress, signal }: Pick<Call, "progress" | "signal">,
): Promise<{ pushes: number; pulls: number }> {
  const done = { pushes: 0, pulls: 0 };
  let turn: Promise<void> = Promise.resolve();
  /** One after the other: a pull must not meet a push of our own. */
  const inTurn = (what: "pushes" | "pulls", work: () => Promise<{ status: string }>) => {
    turn = turn.then(async () => {
      try {
        const { status } = await work();
        done[what]++;
        if (!["nothing_to_push", "up_to_date"].includes(status)) progress.note(status);
      } catch (thrown) {
        progress.note(thrown instanceof Error ? thrown.message : String(thrown));
      }
    });
    return turn;
  };
  const pull = () => inTurn("pulls", () => sync.pull("agent"));
  const push = () => inTurn("pushes", () => sync.push(""));
  await pull();
  await push();
  const timer = setInterval(() => void pull(), pullEveryMs);
  try {
    await watchProject(directory, push, signal, { quietMs: QUIET_MS });
  } finally {
    clearInterval(timer);
    await turn;
  }
  return done;
}
