import { DomainError } from "../../core/errors.ts";

interface Limits {
  readonly running: number;
  readonly waiting: number;
}

/** So many calls at once, so many more in line, and `busy` for the rest: a flood costs time, never memory. */
export function boundedQueue({ running, waiting }: Limits) {
  let free = running;
  const line: (() => void)[] = [];

  /** Resolves when a place is ours; it is taken before anyone else can look. */
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

  /** The place goes to the first in line, or becomes free. */
  function givePlace(): void {
    const next = line.shift();
    if (next) next();
    else free += 1;
  }

  return {
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
