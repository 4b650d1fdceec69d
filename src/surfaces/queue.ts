import { DomainError } from "../core/errors.ts";

interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
}

/** The limits of one server, over all its clients. */
const CALL_LIMITS: QueueLimits = { running: 64, waiting: 2000 };

/** At most `running` calls run and `waiting` queue; others get `busy`. A flood then costs time, not memory. */
export function boundedQueue({ running, waiting }: QueueLimits = CALL_LIMITS) {
  let free = running;
  const line: (() => void)[] = [];

  /** Resolves when this call has a place. */
  async function takePlace(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (line.length >= waiting) {
      throw new DomainError("busy", "Too many calls at once. Wait for some answers, then call again.");
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      line.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Gives the place to the first waiting call, or frees it. */
  function givePlace(): void {
    const next = line.shift();
    if (next) next();
    else free += 1;
  }

  return {
    /** How many calls wait for a place. */
    get waiting(): number {
      return line.length;
    },
    async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      await takePlace(signal);
      try {
        return await work();
      } finally {
        givePlace();
      }
    },
  };
}
export type Queue = ReturnType<typeof boundedQueue>;
