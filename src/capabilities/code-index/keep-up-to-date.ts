import { setTimeout as pause } from "node:timers/promises";
import { asDomainError, DomainError, type ErrorCode } from "../../core/errors.ts";
import type { Call } from "../../core/tool.ts";
import type { IndexOutput } from "./schemas.ts";
import { watchTree } from "./watch.ts";

/** What ends by itself: somebody else indexes, a disk is full, the last source file is gone and will come back. */
const PASSING = new Set<ErrorCode>(["busy", "disk_full", "unavailable", "not_found"]);
const AGAIN_AFTER_MS = 1_000;

/** Indexes a directory now and after each change, until the call is stopped; notes what happened. */
export async function keepUpToDate(
  root: string,
  index: () => Promise<IndexOutput>,
  { signal, progress }: Call,
): Promise<{ runs: number }> {
  let runs = 0;
  const run = async () => {
    const output = await index();
    runs++;
    const told = changesOf(output);
    if (runs === 1 || told !== undefined) progress.note(told ?? output.message);
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

/** `undefined` where nothing has changed. */
function changesOf({ statistics, message }: IndexOutput): string | undefined {
  const { files_indexed, files_failed, files_removed, text_files_indexed } = statistics;
  const parts = [
    ...(files_indexed > 0 ? [message] : []),
    ...(text_files_indexed > 0 ? [`${text_files_indexed} other text files indexed`] : []),
    ...(files_failed > 0 ? [`${files_failed} files with problems`] : []),
    ...(files_removed > 0 ? [`${files_removed} files removed`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}
