import { setTimeout as pause } from "node:timers/promises";
import { asDomainError, DomainError, type ErrorCode } from "../../../core/errors.ts";
import type { Call } from "../../../core/tool.ts";
import type { IndexOutput } from "../schemas.ts";
import { watchTree } from "./watch.ts";
import { hasChanges } from "./watched-run.ts";

/** What ends by itself: somebody else indexes, a disk is full, the last source file is gone and will come back. */
const PASSING = new Set<ErrorCode>(["busy", "disk_full", "unavailable", "not_found"]);
const AGAIN_AFTER_MS = 1_000;

/** Indexes a directory now and after each change, until the call is stopped; tells the first run, and later ones that changed something. */
export async function keepUpToDate(
  root: string,
  index: () => Promise<IndexOutput>,
  { signal, progress, emit }: Call<IndexOutput>,
): Promise<{ runs: number }> {
  let runs = 0;
  const run = async () => {
    const output = await index();
    runs++;
    if (runs === 1 || hasChanges(output)) emit?.(output);
  };
  /** Another process may take minutes: it is noted once, and tried again until it is done. */
  const runWhenFree = async () => {
    for (let isNoted = false; !signal.aborted; isNoted = true) {
      try {
        return await run();
      } catch (thrown) {
        if (!isBusy(thrown)) throw thrown;
        if (!isNoted) progress.note(thrown.message);
      }
      await pause(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const runAndGoOn = () =>
    runWhenFree().catch((thrown: unknown) => {
      const { code, message } = asDomainError(thrown);
      // What never worked is a mistake of the caller.
      if (runs === 0 || !PASSING.has(code)) throw thrown;
      progress.note(message);
    });
  await watchTree(root, runAndGoOn, signal);
  return { runs };
}

const isBusy = (thrown: unknown): thrown is DomainError =>
  thrown instanceof DomainError && thrown.code === "busy";
