import { expect, test } from "vitest";
import { knowledge, STORE, twoClones } from "../../../../tests/support/sync-pair.ts";

test("the plan names what a push would publish, without private entries, and writes nothing", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(knowledge("kept"), "x");
  ana.write(knowledge("gone"), "x");
  await mine.push("");
  ana.write(knowledge("kept"), "y");
  ana.remove(knowledge("gone"));
  ana.write(knowledge("new"), "z");
  ana.write(knowledge("secret"), "CANARY");
  ana.write(`${STORE}/.local/scope.json`, '{"knowledge/secret.md":"private"}');
  const before = ana.git("status", "--porcelain");
  expect(await mine.plan()).toEqual({
    target: "origin/main",
    files: [
      { path: knowledge("gone"), change: "removed" },
      { path: knowledge("kept"), change: "changed" },
      { path: knowledge("new"), change: "added" },
    ],
  });
  expect(ana.git("status", "--porcelain")).toBe(before);
  await mine.push("");
  expect((await mine.plan()).files).toEqual([]);
});

test("what a teammate pushed since is not part of the plan", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ben.write(knowledge("theirs"), "x");
  await hers.push("");
  ana.git("fetch", "-q");
  ana.write(knowledge("ours"), "x");
  expect((await mine.plan()).files).toEqual([{ path: knowledge("ours"), change: "added" }]);
});
