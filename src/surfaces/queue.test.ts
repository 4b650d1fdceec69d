import { expect, test } from "vitest";
import { boundedQueue } from "./queue.ts";

const forever = new AbortController().signal;

function held() {
  const releases: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => void releases.push(resolve));
    running -= 1;
    return "done";
  };
  return { work, releases, most: () => most };
}

test("at most `running` calls run, the next ones wait, and further calls get busy", async () => {
  const queue = boundedQueue({ running: 2, waiting: 3 });
  const { work, releases, most } = held();
  const calls = Array.from({ length: 6 }, () =>
    queue.run(forever, work).catch((error: Error) => error.message),
  );
  const last = await calls[5];
  for (let released = 0; released < 5; ) {
    const next = releases.shift();
    if (next) {
      next();
      released += 1;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect({ answers: await Promise.all(calls.slice(0, 5)), most: most(), last }).toEqual({
    answers: ["done", "done", "done", "done", "done"],
    most: 2,
    last: "Too many calls at once. Wait for some answers, then call again.",
  });
});

test("a call cancelled while it waits never runs", async () => {
  const queue = boundedQueue({ running: 1, waiting: 5 });
  const { work, releases } = held();
  const first = queue.run(forever, work);
  const cancel = new AbortController();
  let hasRun = false;
  const second = queue.run(cancel.signal, async () => {
    hasRun = true;
  });
  cancel.abort(new Error("cancelled"));
  await expect(second).rejects.toThrow("cancelled");
  releases.shift()?.();
  expect([await first, hasRun]).toEqual(["done", false]);
});

test("a failed call frees its place for the next one", async () => {
  const queue = boundedQueue({ running: 1, waiting: 5 });
  const failing = queue.run(forever, async () => {
    throw new Error("broken");
  });
  const next = queue.run(forever, async () => "served");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("served");
});
