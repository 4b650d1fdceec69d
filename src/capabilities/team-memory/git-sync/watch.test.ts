import { expect, onTestFinished, test, vi } from "vitest";
import { testCall } from "../../../../tests/support/machine.ts";
import { knowledge, twoClones } from "../../../../tests/support/sync-pair.ts";
import type { SyncEvent } from "./results.ts";
import { watchMemory } from "./watch.ts";

test("watching pushes new and waiting changes until it is stopped", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers, team } = pair;
  ben.write(knowledge("hers"), "x");
  await hers.push("");
  ana.write(knowledge("ready"), "before");
  const stop = new AbortController();
  const said: string[] = [];
  let told = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      told = resolve;
    });
  const call = {
    ...testCall({ signal: stop.signal }),
    emit: ({ status }: SyncEvent) => {
      said.push(status);
      told();
    },
  };
  const pushedBoth = (async () => {
    for (let message = next(); said.filter((one) => one === "pushed").length < 2; message = next()) {
      await message;
      if (said.filter((one) => one === "pushed").length === 1) ana.write(knowledge("later"), "after");
    }
  })();
  const watching = watchMemory(mine, { directory: mine.directory, pullEveryMs: 600_000, quietMs: 50 }, call);
  await pushedBoth;
  stop.abort();
  expect(await watching).toEqual({ pulls: 1, pushes: 2 });
  expect([ana.read(knowledge("hers")), team.remote.git("show", `main:${knowledge("later")}`)]).toEqual([
    "x",
    "after",
  ]);
});

test("without a store there is nothing to watch, and it says what to do", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  const watched = { directory: mine.directory, pullEveryMs: 600_000 };
  ana.git("remote", "remove", "origin");
  await expect(watchMemory(mine, watched, testCall())).rejects.toThrow(/No context store here/);
  ana.write(".context-teleport/manifest.json", "{}");
  await mine.push("");
  ana.remove(".context-teleport");
  await expect(watchMemory(mine, watched, testCall())).rejects.toThrow(/missing here; bring it back/);
});

test("a sync that changed nothing is not counted", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(knowledge("k"), "x");
  await mine.push("");
  const call = testCall({ signal: AbortSignal.abort() });
  expect(
    await watchMemory(mine, { directory: mine.directory, pullEveryMs: 600_000, quietMs: 50 }, call),
  ).toEqual({ pushes: 0, pulls: 0 });
});

test("a remote that has not answered is not asked again", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(knowledge("k"), "x");
  await mine.push("");
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stop = new AbortController();
  const asked: string[] = [];
  let answer = () => {};
  const slow = {
    ...mine,
    push: async () => ({ status: "nothing_to_push" as const }),
    pull: async () => {
      asked.push("pull");
      if (asked.length === 1) return { status: "up_to_date" as const };
      await new Promise<void>((resolve) => {
        answer = resolve;
        stop.abort();
      });
      return { status: "up_to_date" as const };
    },
  };
  const watching = watchMemory(
    slow,
    { directory: mine.directory, pullEveryMs: 1000, quietMs: 50 },
    testCall({ signal: stop.signal }),
  );
  await vi.waitUntil(() => vi.getTimerCount() === 1);
  vi.advanceTimersByTime(5000);
  await vi.waitUntil(() => stop.signal.aborted);
  answer();
  await watching;
  expect(asked).toEqual(["pull", "pull"]);
});
