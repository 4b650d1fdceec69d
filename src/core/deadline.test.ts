import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { deadline } from "./deadline.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("a limit that only its listener refers to survives a garbage collection", async () => {
  const aborted = once(deadline(200, new AbortController().signal).signal, "abort");
  await nextTurn(); // Objects made in one turn of the event loop are kept until the turn ends.
  collectGarbage();
  const stillWaiting = setTimeout(() => {}, 60_000);
  await aborted;
  clearTimeout(stillWaiting);
});

test("the caller's signal aborts it with the caller's reason, before or after the start", () => {
  const reason = new Error("gone");
  const before = deadline(60_000, AbortSignal.abort(reason));
  const caller = new AbortController();
  const after = deadline(60_000, caller.signal);
  caller.abort(reason);
  expect([before, after].map(({ signal, isOver }) => [signal.reason, isOver])).toEqual([
    [reason, false],
    [reason, false],
  ]);
});

test("after it is disposed it neither aborts nor listens", () => {
  const caller = new AbortController();
  const limit = deadline(60_000, caller.signal);
  limit[Symbol.dispose]();
  caller.abort();
  expect([limit.signal.aborted, limit.isOver]).toEqual([false, false]);
});
