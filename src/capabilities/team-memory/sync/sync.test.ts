import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Clone, makeTeam } from "../../../../tests/support/git-team.ts";
import { Config } from "../../../core/config/config.ts";
import { readScopes } from "../store/scopes.ts";
import { openSidecars } from "../store/sidecar.ts";
import { openTeamSync } from "./team-sync.ts";

const STORE = ".context-teleport";

function syncOf(clone: Clone, memory: Partial<Config["memory"]> = {}) {
  const directory = join(clone.path, STORE);
  return openTeamSync({
    place: { root: clone.path, directory },
    settings: { ...Config.parse({}).memory, ...memory },
    scopes: () => readScopes(openSidecars(directory)),
    now: () => new Date("2026-01-02T03:04:05Z"),
    actor: "mcp:test",
    signal: new AbortController().signal,
  });
}

const knowledge = (key: string) => `${STORE}/knowledge/${key}.md`;

function twoClones() {
  const team = makeTeam(2);
  const [ana, ben] = team.clones;
  if (!ana || !ben) throw new Error("two clones");
  return {
    team,
    ana,
    ben,
    mine: syncOf(ana),
    hers: syncOf(ben),
    [Symbol.dispose]: () => team[Symbol.dispose](),
  };
}

describe("push", () => {
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
});

describe("pull", () => {
  test("edits of different sections merge with any strategy; names beyond ASCII too", async () => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write(knowledge("café"), "## A\na\n## B\nb");
    await mine.push("");
    await hers.pull("ours");
    ana.write(knowledge("café"), "## A\na1\n## B\nb");
    ben.write(knowledge("café"), "## A\na\n## B\nb2");
    await mine.push("");
    expect(await hers.pull("agent")).toMatchObject({ status: "pulled", auto_resolved: [knowledge("café")] });
    expect(ben.read(knowledge("café"))).toBe("## A\na1\n## B\nb2");
    expect(ben.git("status", "--porcelain", "--", "code.txt", knowledge("café")).trim()).toBe("");
  });

  test("teammates' code on the branch comes along when nothing stands in its way", async () => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write("code.txt", "one\ntwo\nTHREE\n");
    ana.git("commit", "-qam", "code");
    ana.write(knowledge("a"), "x");
    await mine.push("");
    ben.write(knowledge("b"), "y");
    expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
    expect([ben.read("code.txt"), ben.read(knowledge("a")), ben.read(knowledge("b"))]).toEqual([
      "one\ntwo\nTHREE\n",
      "x",
      "y",
    ]);
    expect(ben.git("status", "--porcelain").trim()).toBe("");
  });

  test("uncommitted code in the way is named, and nothing is touched", async () => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write("code.txt", "theirs\n");
    ana.git("commit", "-qam", "code");
    ana.write(knowledge("a"), "x");
    await mine.push("");
    ben.write("code.txt", "mine, not committed\n");
    ben.write(knowledge("b"), "y");
    const head = ben.git("rev-parse", "HEAD");
    await expect(hers.pull("ours")).rejects.toThrow(/stand in the way/);
    expect([
      ben.read("code.txt"),
      ben.read(knowledge("b")),
      ben.read(knowledge("a")),
      ben.git("rev-parse", "HEAD"),
    ]).toEqual(["mine, not committed\n", "y", undefined, head]);
  });

  test("an edit that is not committed and staged files of the user's survive a merge", async () => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write(knowledge("k"), "## A\na\n## B\nb\n");
    await mine.push("");
    await hers.pull("ours");
    ana.write(knowledge("k"), "## A\na1\n## B\nb\n");
    await mine.push("");
    ben.write(knowledge("k"), "## A\na\n## B\nnot committed\n");
    ben.write("user.txt", "staged");
    ben.git("add", "user.txt");
    await hers.pull("ours");
    expect(ben.read(knowledge("k"))).toBe("## A\na1\n## B\nnot committed\n");
    expect(ben.git("diff", "--cached", "--name-only").trim()).toBe("user.txt");
    expect(ben.git("log", "--all", "--name-only", "--format=")).not.toContain("user.txt");
  });

  test.each([
    ["ours", undefined],
    ["theirs", "edited"],
  ])("removed here and edited there: %s decides, without an empty file", async (strategy, expected) => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write(knowledge("k"), "first");
    await mine.push("");
    await hers.pull("ours");
    ana.write(knowledge("k"), "edited");
    await mine.push("");
    ben.remove(knowledge("k"));
    expect(await hers.pull(strategy)).toMatchObject({
      status: "merged",
      strategy,
      resolved: [knowledge("k")],
    });
    expect(ben.read(knowledge("k"))).toBe(expected);
  });

  test("two clones that took the same decision number end with two numbers and both texts", async () => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    const decision = (name: string) => `${STORE}/knowledge/decisions/${name}.md`;
    ana.write(decision("0001-a"), "# 0001 - A\n");
    ben.write(decision("0001-b"), "# 0001 - B\n");
    await mine.push("");
    expect(await hers.pull("ours")).toMatchObject({
      status: "pulled",
      renumbered: [{ from: "knowledge/decisions/0001-b.md", to: "knowledge/decisions/0002-b.md" }],
    });
    expect([
      ben.read(decision("0001-a")),
      ben.read(decision("0001-b")),
      ben.read(decision("0002-b")),
    ]).toEqual(["# 0001 - A\n", undefined, "# 0002 - B\n"]);
  });

  test("a private entry is never overwritten by a teammate's of the same name", async () => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write(knowledge("k"), "public");
    await mine.push("");
    ben.write(knowledge("k"), "private");
    ben.write(`${STORE}/.local/scope.json`, '{"knowledge/k.md":"private"}');
    await expect(hers.pull("ours")).rejects.toThrow(/private/);
    expect(ben.read(knowledge("k"))).toBe("private");
  });

  test("no remote, an unknown strategy, nothing new", async () => {
    using pair = twoClones();
    const { ana, mine } = pair;
    ana.write(knowledge("k"), "x");
    expect(await mine.pull("ours")).toEqual({ status: "up_to_date" });
    await expect(mine.pull("interactive")).rejects.toThrow(
      "Invalid strategy 'interactive'. Use: ours, theirs, agent.",
    );
    ana.git("remote", "remove", "origin");
    expect(await mine.pull("ours")).toEqual({ status: "no_remote" });
  });

  test("with a branch of its own the memory travels apart from the code", async () => {
    using pair = twoClones();
    const { ana, ben, team } = pair;
    const [mine, hers] = [syncOf(ana, { branch: "memory" }), syncOf(ben, { branch: "memory" })];
    ana.write(knowledge("k"), "x");
    expect(await mine.push("")).toMatchObject({ status: "pushed" });
    expect(team.remote.git("ls-tree", "-r", "--name-only", "memory").trim()).toBe(knowledge("k"));
    ben.write("code.txt", "dirty\n");
    ben.write(knowledge("b"), "y");
    expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
    expect([
      ben.read(knowledge("k")),
      ben.read("code.txt"),
      ben.git("rev-parse", "--abbrev-ref", "HEAD").trim(),
    ]).toEqual(["x", "dirty\n", "main"]);
  });
});

describe("conflicts an agent settles", () => {
  async function inConflict() {
    const pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write(knowledge("k"), "## A\na\n## B\nb\n");
    await mine.push("");
    await hers.pull("ours");
    ana.write(knowledge("k"), "## A\nana\n## B\nb\n");
    await mine.push("");
    ben.write(knowledge("k"), "## A\nben\n## B\nb\n");
    return pair;
  }

  test("pull keeps them aside and touches nothing; finalize makes a merge of two parents", async () => {
    using pair = await inConflict();
    const { ben, hers, team } = pair;
    const head = ben.git("rev-parse", "HEAD");
    const found = await hers.pull("agent");
    expect(found).toEqual({ status: "conflicts", conflict_id: expect.any(String), files: [knowledge("k")] });
    expect(ben.git("rev-parse", "HEAD")).toBe(head);
    await expect(syncOf(ben).status()).resolves.toMatchObject({
      status: "conflicts",
      conflict_id: found.status === "conflicts" && found.conflict_id,
    });
    expect(await hers.detail(knowledge("k"))).toMatchObject({
      ours_content: "## A\nben\n## B\nb\n",
      theirs_content: "## A\nana\n## B\nb\n",
      base_content: "## A\na\n## B\nb\n",
      diff: expect.stringContaining(`--- ${knowledge("k")} (ours)`),
      section_analysis: { has_section_conflicts: true, auto_merged_content: null },
    });
    await expect(hers.resolve("../../etc/x", "z")).rejects.toThrow("No unresolved conflict for ../../etc/x");
    await expect(hers.push("")).rejects.toThrow(/waits for decisions/);
    expect(await hers.resolve(knowledge("k"), "first try")).toEqual({
      status: "resolved",
      file_path: knowledge("k"),
      remaining: 0,
    });
    await hers.resolve(knowledge("k"), "settled");
    expect(await hers.finalize()).toMatchObject({
      status: "merged",
      commit: expect.any(String),
      resolved: 1,
    });
    expect(ben.read(knowledge("k"))).toBe("settled");
    expect(ben.git("log", "-1", "--format=%P").trim().split(" ")).toHaveLength(2);
    expect(await hers.status()).toEqual({ status: "clean" });
    await expect(hers.abort()).rejects.toThrow("No pending conflicts to abort");
    expect(await hers.push("")).toMatchObject({ status: "pushed" });
    expect(team.remote.git("log", "--all", "--name-only", "--format=")).not.toContain("pending");
  });

  test("what a teammate pushed in between is merged later, not overwritten", async () => {
    using pair = await inConflict();
    const { ana, ben, mine, hers } = pair;
    await hers.pull("agent");
    ana.write(knowledge("k"), "## A\nana again\n## B\nb\n");
    await mine.push("");
    await hers.resolve(knowledge("k"), "## A\nsettled\n## B\nb\n");
    await hers.finalize();
    expect(await hers.pull("agent")).toMatchObject({ status: "conflicts" });
    expect(await hers.detail(knowledge("k"))).toMatchObject({ theirs_content: "## A\nana again\n## B\nb\n" });
    expect(ben.read(knowledge("k"))).toBe("## A\nsettled\n## B\nb\n");
  });

  test("an entry edited after the conflict was found is not settled unseen", async () => {
    using pair = await inConflict();
    const { ben, hers } = pair;
    await hers.pull("agent");
    await hers.resolve(knowledge("k"), "settled");
    ben.write(knowledge("k"), "## A\nben again\n## B\nb\n");
    await expect(hers.finalize()).rejects.toThrow(/Changed here since/);
    expect(ben.read(knowledge("k"))).toBe("## A\nben again\n## B\nb\n");
  });

  test("abort forgets the merge, and the next pull finds it again", async () => {
    using pair = await inConflict();
    const { ben, hers } = pair;
    await hers.pull("agent");
    expect(await hers.abort()).toEqual({ status: "aborted" });
    expect(ben.read(knowledge("k"))).toBe("## A\nben\n## B\nb\n");
    expect(await hers.pull("agent")).toMatchObject({ status: "conflicts" });
  });
});
