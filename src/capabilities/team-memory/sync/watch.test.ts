import { expect, test } from "vitest";
import { testCall } from "../../../../tests/support/machine.ts";
import { knowledge, twoClones } from "../../../../tests/support/sync-pair.ts";
import { watchMemory } from "./watch.ts";

test("watching delivers what changes here, and what stood ready, until it is stopped", async () => {
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
  const call = testCall({
    signal: stop.signal,
    progress: {
      ...testCall().progress,
      note: (message) => {
        said.push(message);
        told();
      },
    },
  });
  const pushedBoth = (async () => {
    for (let message = next(); said.filter((one) => one === "pushed").length < 2; message = next()) {
      await message;
      if (said.filter((one) => one === "pushed").length === 1) ana.write(knowledge("later"), "after");
    }
  })();
  const watching = watchMemory(mine, { directory: mine.directory, pullEveryMs: 600_000, quietMs: 50 }, call);
  await pushedBoth;
  stop.abort();
  expect(await watching).toMatchObject({ pulls: 1 });
  expect([ana.read(knowledge("hers")), team.remote.git("show", `main:${knowledge("later")}`)]).toEqual([
    "x",
    "after",
  ]);
});
