import { existsSync } from "node:fs";
import { DomainError } from "../../../core/errors.ts";
import { watchProject } from "../../../core/scan/watch.ts";
import type { Call } from "../../../core/tool.ts";
import type { TeamSync } from "./team-sync.ts";

const QUIET_MS = 3000;
/** What counts in the sum: something went to the remote, or came from it. */
const DELIVERED = new Set(["pushed", "pulled", "merged"]);

interface Watched {
  readonly directory: string;
  readonly pullEveryMs: number;
  readonly quietMs?: number;
}

/** Pushes after the store was quiet for a moment, pulls now and then, until the caller stops it. */
export async function watchMemory(
  sync: TeamSync,
  { directory, pullEveryMs, quietMs = QUIET_MS }: Watched,
  { progress, signal }: Pick<Call, "progress" | "signal">,
): Promise<{ pushes: number; pulls: number }> {
  const done = { pushes: 0, pulls: 0 };
  let turn: Promise<void> = Promise.resolve();
  /** One after the other: a pull must not meet a push of our own. */
  const inTurn = (what: "pushes" | "pulls", work: () => Promise<{ status: string }>) => {
    turn = turn.then(async () => {
      try {
        const { status } = await work();
        if (DELIVERED.has(status)) done[what]++;
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
  if (!existsSync(directory)) {
    // Says so itself where the store is only missing here.
    await sync.push("");
    throw noStore();
  }
  const timer = setInterval(() => void pull().then(push), pullEveryMs);
  try {
    await Promise.all([watchProject(directory, push, signal, { quietMs }), push()]);
  } finally {
    clearInterval(timer);
    await turn;
  }
  return done;
}

const noStore = () =>
  new DomainError("not_found", "No context store here. Run `contextful memory init` to make one.", {
    reason: "not_initialised",
  });
