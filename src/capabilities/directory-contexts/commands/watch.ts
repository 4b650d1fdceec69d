import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import type { Call } from "../../../core/tool.ts";
import type { Contexts } from "../contexts.ts";
import type { ContextStateChange } from "../reports.ts";

type ContextStates = ReadonlyMap<string, ContextStateChange["state"]>;

/** Waits at least four times as long as a scan takes. */
const REST = 4;

/**
 * Reports each change of state until the call is stopped. It polls, because file system events miss changes on
 * network disks and in new directories.
 */
export async function watchContexts(
  contexts: Contexts,
  { root, interval }: { readonly root: string; readonly interval: number },
  call: Call<ContextStateChange>,
): Promise<{ changes: number }> {
  let problem: string | undefined;
  const statesNow = async (before: ContextStates): Promise<ContextStates> => {
    try {
      const { entries } = await contexts.surveyNeeded(root, call.signal);
      problem = undefined;
      return new Map(entries.map(({ scope, state }) => [scope, state]));
    } catch (thrown) {
      // Settings may be invalid while somebody edits them.
      if (!(thrown instanceof DomainError)) throw thrown;
      if (problem !== thrown.message) call.progress.note(thrown.message);
      problem = thrown.message;
      return before;
    }
  };
  const look = async (before: ContextStates) => {
    const started = performance.now();
    const states = await statesNow(before);
    return { states, rest: Math.max(interval, REST * (performance.now() - started)) };
  };
  let changes = 0;
  try {
    let last = await look(new Map());
    call.progress.note(`Watching ${last.states.size} directories.`);
    for (;;) {
      await pause(last.rest, undefined, { signal: call.signal });
      const next = await look(last.states);
      for (const change of differences(last.states, next.states)) {
        changes += 1;
        call.emit?.(change);
      }
      last = next;
    }
  } catch (thrown) {
    // A watch ends by being stopped.
    if (!call.signal.aborted) throw thrown;
  }
  return { changes };
}

const differences = (before: ContextStates, now: ContextStates): ContextStateChange[] => [
  ...[...now]
    .filter(([scope, state]) => before.get(scope) !== state)
    .map(([scope, state]) => ({ scope, state })),
  ...[...before.keys()]
    .filter((scope) => !now.has(scope))
    .map((scope) => ({ scope, state: "gone" as const })),
];
