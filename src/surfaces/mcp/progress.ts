import type { Progress } from "../../core/progress.ts";

interface ProgressMessage {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** A client redraws its bar a few times a second; more notifications only fill the pipe. */
const SHORTEST_GAP_MS = 100;

/** Turns steps into MCP progress. The protocol wants numbers that always rise, also when the next phase starts at 0. */
export function protocolProgress(send: (message: ProgressMessage) => void, now: () => number): Progress {
  let label = "";
  let before = 0;
  let latest = -1;
  let sentAt = Number.NEGATIVE_INFINITY;
  return {
    report(step) {
      if (step.label !== label) {
        before = Math.max(0, latest);
        label = step.label;
      }
      const progress = before + step.done;
      const isLast = step.total !== undefined && step.done >= step.total;
      if (progress <= latest || (!isLast && now() - sentAt < SHORTEST_GAP_MS)) return;
      latest = progress;
      sentAt = now();
      send({
        progress,
        ...(step.total === undefined ? {} : { total: before + step.total }),
        message: step.label,
      });
    },
    note(message) {
      // The number must rise with every message, but a note is not a step.
      latest = Math.max(0, latest) + 0.001;
      send({ progress: latest, message });
    },
  };
}
