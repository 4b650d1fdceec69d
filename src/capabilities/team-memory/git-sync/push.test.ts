import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clone } from "../../../../tests/support/git-team.ts";
import { testCall } from "../../../../tests/support/machine.ts";
import { knowledge, STORE, syncOf, twoClones, writtenByUs } from "../../../../tests/support/sync-pair.ts";
import { sha256 } from "../../../core/hash.ts";
import { invoke } from "../../../core/tool.ts";
import { noteOwnWrite, type OwnWrite } from "../store/own-writes.ts";
import { syncTools } from "../tools/sync-tools.ts";
import { temporaryIndexPrefix } from "./repository/store-tree.ts";

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

test("pushes deletions, and says if there is nothing to push", async () => {
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

test("if another push won the race, its entries are merged and the push is tried again", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers, team } = pair;
  const sessions = `${STORE}/history/sessions.ndjson`;
  ana.write(`${STORE}/knowledge/decisions/0001-a.md`, "# 0001 - A\n");
  ana.write(sessions, '{"id":"1"}\n');
  ben.write(`${STORE}/knowledge/decisions/0001-b.md`, "# 0001 - B\n");
  ben.write(sessions, '{"id":"2"}\n');
  ben.write(knowledge("b"), "from ben");
  await hers.push("");
  expect(await mine.push("")).toMatchObject({
    status: "pushed",
    auto_resolved: [sessions],
    renumbered: [{ from: "knowledge/decisions/0001-a.md", to: "knowledge/decisions/0002-a.md" }],
  });
  expect(team.remote.git("rev-parse", "main")).toBe(ana.git("rev-parse", "HEAD"));
  expect(ana.read(knowledge("b"))).toBe("from ben");
});

test("a refused push reports ahead and behind, and a later push publishes it", async () => {
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

test("if another push won the race and code blocks the merge, the answer reports ahead and behind", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ben.write("code.txt", "ben\n");
  ben.git("commit", "-qam", "code");
  ben.write(knowledge("b"), "y");
  await hers.push("");
  ana.write("code.txt", "ana\n");
  ana.git("commit", "-qam", "code");
  ana.write(knowledge("a"), "x");
  expect(await mine.push("")).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining("conflict in code.txt"),
    ahead: 2,
    behind: 2,
  });
});

test("unreadable scopes stop the push, so that damage makes nothing public", async () => {
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

test("without a remote it commits; without an identity the agent is the author", async () => {
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

test("the identity of the environment is the commit's", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  const names = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
  const before = names.map((name) => process.env[name]);
  ana.write(knowledge("k"), "x");
  for (const name of names) process.env[name] = `${name.toLowerCase()}@example.org`;
  try {
    expect(await mine.push("")).toMatchObject({ status: "pushed", warnings: [] });
  } finally {
    for (const [index, name] of names.entries()) {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    }
  }
  expect(ana.git("log", "-1", "--format=%an %ae %cn %ce").trim().split(" ")).toEqual(
    names.map((name) => `${name.toLowerCase()}@example.org`),
  );
});

test.each([
  ["history/sessions.ndjson", "ctx: add session"],
  ["preferences/team.json", "ctx: add preferences"],
  ["skills/deploy/.feedback.ndjson", "ctx: add rating of deploy"],
  ["skills/deploy/.usage.ndjson", "ctx: add use of deploy"],
  ["skills/deploy/.proposals/1.json", "ctx: add proposal for deploy"],
  ["skills/deploy/scripts/run.sh", "ctx: add files of skill deploy"],
  ["activity/ana.json", "ctx: add activity ana"],
  ["knowledge/decisions/0003-queue.md", "ctx: add decision 0003"],
])("a commit of %s without a message, or a blank one, says what changed", async (file, message) => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(`${STORE}/${file}`, "{}\n");
  await mine.push(" \n");
  expect(ana.git("log", "-1", "--format=%s").trim()).toBe(message);
});

test("on the command line a push that published nothing is a failure", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  const tool = syncTools(async () => mine).find(({ name }) => name === "context_sync_push");
  const exitCode = async () => tool?.command?.exitCode?.(await invoke(tool, {}, testCall()));
  ana.write(knowledge("a"), "x");
  ana.git("remote", "set-url", "origin", join(team.home, "gone.git"));
  expect(await exitCode()).toBe(1);
  ana.git("remote", "set-url", "origin", team.remote.path);
  expect(await exitCode()).toBe(0);
});

test("on shutdown the user's own commits are not published", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write("code.txt", "changed\n");
  ana.git("commit", "-qam", "work in progress");
  ana.write(knowledge("k"), "x");
  const before = team.remote.git("rev-parse", "main");
  expect(await mine.pushOnShutdown(writtenByUs(ana, "knowledge/k.md"))).toMatchObject({
    push_error: expect.stringContaining("your own"),
  });
  expect(team.remote.git("rev-parse", "main")).toBe(before);
});

test("on shutdown only what this server wrote is published, with its own metadata", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write(knowledge("person"), "CANARY");
  ana.write(knowledge("agent"), "said by the agent");
  ana.write(knowledge("both"), "agent, then CANARY");
  const meta = { "agent.md": { author: "mcp:test" }, "person.md": { author: "CANARY" } };
  ana.write(`${STORE}/knowledge/.meta.json`, JSON.stringify(meta));
  ana.git("add", knowledge("person"));
  const written = new Map([
    ...writtenByUs(ana, "knowledge/agent.md"),
    ["knowledge/both.md", { befores: [undefined], after: sha256("agent") }] as const,
  ]);
  expect(await mine.pushOnShutdown(written)).toMatchObject({
    status: "pushed",
    to: "origin main",
    files: ["knowledge/agent.md"],
  });
  expect(team.remote.git("show", `main:${STORE}/knowledge/.meta.json`)).toContain("mcp:test");
  expect(team.remote.git("log", "-p", "--all")).not.toContain("CANARY");
  expect(ana.git("diff", "--cached", "--name-only").trim()).toBe(knowledge("person"));
  expect(ana.git("rev-parse", "HEAD")).toBe(team.remote.git("rev-parse", "main"));
});

test("on shutdown entries that git ignores, and commits of the store that others made, stay here", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  const before = team.remote.git("rev-parse", "main");
  ana.write(".git/info/exclude", `${STORE}\n`);
  ana.write(knowledge("k"), "x");
  const written = writtenByUs(ana, "knowledge/k.md");
  expect(await mine.pushOnShutdown(written)).toBeUndefined();
  ana.write(".git/info/exclude", "");
  ana.write(knowledge("person"), "mine");
  ana.git("add", knowledge("person"));
  ana.git("commit", "-qm", "an entry that I commit myself");
  expect(await mine.pushOnShutdown(written)).toMatchObject({
    push_error: expect.stringContaining("1 commit of your own"),
  });
  expect(team.remote.git("rev-parse", "main")).toBe(before);
});

test("an entry that is pushed and written again is still ours, and one that somebody else changed is not", () => {
  const written = new Map<string, OwnWrite>();
  const note = (content: string, now: string | undefined) =>
    noteOwnWrite(written, { path: "k", content }, now === undefined ? undefined : Buffer.from(now));
  note("1", undefined);
  note("2", "1");
  expect(written.get("k")?.befores.map(String)).toEqual(["undefined", "1"]);
  note("3", "2 and more");
  expect(written.get("k")?.befores.map(String)).toEqual(["2 and more"]);
});

test("a missing store is not deleted for the team, and a push does not create one", async () => {
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

test("if git cannot list unpublished commits, the push fails instead of saying nothing_to_push", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  for (const text of ["one", "two"]) {
    ana.write("code/a.txt", text);
    ana.git("add", "code");
    ana.git("commit", "-qm", text);
  }
  const tree = ana.git("rev-parse", "HEAD~1:code").trim();
  ana.remove(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`);
  ana.write(knowledge("k"), "x");
  await expect(mine.push("")).rejects.toThrow(/git log: .*unable to read/);
});

test("a push removes the temporary index that a killed one left", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  const temporary = () =>
    readdirSync(join(ana.path, ".git")).filter((name) => name.startsWith("contextful-"));
  ana.write(knowledge("k"), "x");
  const left = `${temporaryIndexPrefix({ prefix: STORE })}0123456789ab.index`;
  ana.write(`.git/${left}`, "left");
  ana.write(`.git/${left}.lock`, "left");
  expect(temporary().length).toBe(2);
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(temporary()).toEqual([]);
});

test("a push that failed does not say that commits were published; one that works counts all", async () => {
  using pair = twoClones();
  const { ana, ben, mine, team } = pair;
  ben.write("code.txt", "theirs\n");
  ben.git("commit", "-qam", "theirs");
  ben.git("push", "-q");
  ana.write("code.txt", "mine\n");
  ana.git("commit", "-qam", "mine");
  ana.git("commit", "-q", "--allow-empty", "-m", "mine too");
  ana.write(knowledge("k"), "x");
  const before = team.remote.git("rev-parse", "main");
  expect(await mine.push("")).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining("conflict"),
    warnings: [],
  });
  expect(team.remote.git("rev-parse", "main")).toBe(before);
  team.remote.git("update-ref", "refs/heads/main", ben.git("rev-parse", "HEAD~1").trim());
  expect(await mine.push("")).toMatchObject({
    status: "pushed",
    warnings: ["2 commits of your own were published with it"],
  });
});

test("a remote that accepts and never answers is given up, and the commit is kept", async () => {
  using pair = twoClones();
  const { ana } = pair;
  const server = createServer(() => {});
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  ana.git("config", "remote.origin.url", `http://127.0.0.1:${port}/team.git`);
  ana.write(knowledge("k"), "x");
  const sync = syncOf(ana, {}, "", { silentSeconds: 1 });
  expect(await sync.push("")).toMatchObject({
    status: "committed",
    push_error: "origin does not answer. The commit is kept; push again later.",
  });
  await expect(sync.pull("ours")).rejects.toThrow("it does not answer. Nothing was changed");
  server.close();
});
