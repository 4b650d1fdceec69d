import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clone } from "../../../../tests/support/git-team.ts";
import { knowledge, STORE, twoClones } from "../../../../tests/support/sync-pair.ts";

test("commits exactly the public files of the store, and leaves what the user staged staged", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write(knowledge("open"), "public text");
  ana.write(knowledge("secret"), "CANARY");
  ana.write(`${STORE}/.local/scope.json`, '{"knowledge/secret.md":"private"}');
  ana.write(`${STORE}/state/active.json`, '{"current_task":"CANARY"}');
  ana.write(`${STORE}/preferences/user.json`, "{}");
  ana.write("user.txt", "mine");
  ana.git("add", "user.txt");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(ana.git("diff", "--cached", "--name-only").trim()).toBe("user.txt");
  expect(team.remote.git("ls-tree", "-r", "--name-only", "main").trim().split("\n")).toEqual([
    knowledge("open"),
    "code.txt",
  ]);
  expect(team.remote.git("log", "-p", "--all")).not.toContain("CANARY");
  expect(ana.git("log", "-1", "--format=%s").trim()).toBe("ctx: add knowledge open");
  expect(ana.git("status", "--porcelain", "-uno").trim()).toBe("A  user.txt");
});

test("carries deletions, and says when there is nothing to push", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write(knowledge("k"), "x");
  await mine.push("");
  await hers.pull("ours");
  expect(ben.read(knowledge("k"))).toBe("x");
  ana.remove(knowledge("k"));
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(await mine.push("")).toEqual({ status: "nothing_to_push" });
  await hers.pull("ours");
  expect(ben.read(knowledge("k"))).toBeUndefined();
});

test("an entry made private leaves the branch and stays on disk, with a warning", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write(knowledge("k"), "x");
  await mine.push("");
  ana.write(`${STORE}/.local/scope.json`, '{"knowledge/k.md":"private"}');
  const result = await mine.push("");
  expect(result).toMatchObject({
    status: "pushed",
    warnings: [expect.stringContaining("history still holds")],
  });
  expect(team.remote.git("ls-tree", "-r", "--name-only", "main").trim()).toBe("code.txt");
  expect(ana.read(knowledge("k"))).toBe("x");
});

test("someone was faster: their entries are merged in and the push is delivered", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers, team } = pair;
  ana.write(knowledge("a"), "from ana");
  ben.write(knowledge("b"), "from ben");
  await hers.push("");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("rev-parse", "main")).toBe(ana.git("rev-parse", "HEAD"));
  expect(ana.read(knowledge("b"))).toBe("from ben");
});

test("a remote that refuses is told with ahead and behind, and delivered later", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write(knowledge("a"), "x");
  ana.git("remote", "set-url", "origin", join(team.home, "gone.git"));
  expect(await mine.push("")).toMatchObject({
    status: "committed",
    push_error: expect.any(String),
    ahead: 1,
    behind: 0,
  });
  ana.git("remote", "set-url", "origin", team.remote.path);
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("rev-parse", "main")).toBe(ana.git("rev-parse", "HEAD"));
});

test("unreadable scopes stop the push: nothing private can become public by damage", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(knowledge("k"), "x");
  ana.write(`${STORE}/knowledge/.scope.json`, "{ torn");
  await expect(mine.push("")).rejects.toThrow(/private cannot be told/);
});

test.each([
  ["a detached HEAD", (clone: Clone) => void clone.git("checkout", "-q", "--detach"), /detached/],
  [
    "a rebase under way",
    (clone: Clone) => clone.write(".git/rebase-merge/head-name", "x"),
    /middle of a rebase/,
  ],
])("%s is an error and changes nothing", async (_name, arrange, message) => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(knowledge("k"), "x");
  arrange(ana);
  const before = ana.git("rev-parse", "HEAD");
  await expect(mine.push("")).rejects.toThrow(message);
  expect(ana.git("rev-parse", "HEAD")).toBe(before);
});

test("without a remote it commits, without an identity as the agent", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.git("remote", "remove", "origin");
  ana.git("config", "--unset", "user.name");
  ana.git("config", "--unset", "user.email");
  ana.git("config", "user.useConfigOnly", "true");
  ana.write(knowledge("k"), "x");
  expect(await mine.push("by hand")).toMatchObject({
    status: "committed",
    warnings: [expect.stringContaining("mcp:test")],
  });
  expect(ana.git("log", "-1", "--format=%an|%s").trim()).toBe("mcp:test|by hand");
});

test("at parting the user's own commits are not published", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write("code.txt", "changed\n");
  ana.git("commit", "-qam", "work in progress");
  ana.write(knowledge("k"), "x");
  const before = team.remote.git("rev-parse", "main");
  expect(await mine.pushAtParting()).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining("your own"),
  });
  expect(team.remote.git("rev-parse", "main")).toBe(before);
});

test("a store that is gone as a whole is not deleted for the team, and a push makes none", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  expect(await mine.push("")).toEqual({ status: "nothing_to_push" });
  expect(ana.read(`${STORE}/.local/.gitignore`)).toBeUndefined();
  ana.write(knowledge("k"), "x");
  await mine.push("");
  ana.remove(STORE);
  expect(await mine.push("")).toEqual({ status: "nothing_to_push" });
  expect(team.remote.git("show", `main:${knowledge("k")}`)).toBe("x");
});
