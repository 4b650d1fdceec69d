import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Clone, openClone } from "../../../../tests/support/git-team.ts";
import { knowledge, STORE, syncOf, twoClones, writtenByUs } from "../../../../tests/support/sync-pair.ts";

function hook(clone: Clone, file: string, script: string): void {
  clone.write(file, `#!/bin/sh\n${script}\n`);
  chmodSync(join(clone.path, file), 0o755);
}

function freshRepository(path: string, ...args: string[]): Clone {
  mkdirSync(path);
  const clone = openClone(path);
  clone.git("init", "-q", "-b", "main", "--template=", ...args);
  clone.git("config", "user.name", "Someone");
  clone.git("config", "user.email", "someone@example.org");
  return clone;
}

test("on a branch without a commit the first push creates it, here and on an empty remote", async () => {
  using pair = twoClones();
  const fresh = freshRepository(join(pair.team.home, "..", "fresh"));
  const empty = openClone(join(pair.team.home, "..", "empty.git"));
  mkdirSync(empty.path);
  empty.git("init", "-q", "--bare", "--template=");
  fresh.git("remote", "add", "origin", empty.path);
  fresh.write(knowledge("k"), "x");
  fresh.write("user.txt", "not yet committed");
  fresh.git("add", "user.txt");
  expect(await syncOf(fresh).push("")).toMatchObject({ status: "pushed" });
  expect(empty.git("ls-tree", "-r", "--name-only", "main").trim()).toBe(knowledge("k"));
  expect(fresh.git("diff", "--cached", "--name-only").trim()).toBe("user.txt");
});

test("on a branch without a commit a pull says what to do, and touches nothing", async () => {
  using pair = twoClones();
  const fresh = freshRepository(join(pair.team.home, "..", "fresh"));
  fresh.git("remote", "add", "origin", pair.team.remote.path);
  fresh.write(knowledge("k"), "x");
  await expect(syncOf(fresh).pull("ours")).rejects.toThrow(/no commit yet.*Run git pull/);
  expect(await syncOf(fresh).push("")).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining("no common commit"),
    ahead: 1,
    behind: 1,
  });
  expect(fresh.read(knowledge("k"))).toBe("x");
});

test("a commit hook does not run for our commits; with a push hook the user must push", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  hook(ana, ".git/hooks/pre-commit", "touch hook-ran; exit 1");
  ana.write(knowledge("a"), "x");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  hook(ana, ".git/hooks/pre-push", "touch hook-ran; exit 1");
  ana.write(knowledge("b"), "y");
  const before = team.remote.git("rev-parse", "main");
  expect(await mine.push("")).toMatchObject({
    status: "committed",
    push_error: "This repository checks pushes with a pre-push hook. Run git push yourself.",
  });
  expect([team.remote.git("rev-parse", "main"), ana.read("hook-ran")]).toEqual([before, undefined]);
});

test("the message of a refusing remote hook is shown, and the commit stays local", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  hook(team.remote, "hooks/pre-receive", "echo 'memory is frozen' >&2; exit 1");
  ana.write(knowledge("a"), "x");
  expect(await mine.push("")).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining("memory is frozen"),
    ahead: 1,
    behind: 0,
  });
  team.remote.remove("hooks/pre-receive");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
});

test("commits are not signed, so nobody is asked for a passphrase", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  hook(ana, "../asking", `touch '${join(ana.path, "asked")}'; exec sleep 600`);
  for (const [key, value] of [
    ["commit.gpgsign", "true"],
    ["push.gpgsign", "true"],
    ["gpg.program", join(ana.path, "../asking")],
  ] as const) {
    ana.git("config", key, value);
  }
  ana.write(knowledge("a"), "x");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(existsSync(join(ana.path, "asked"))).toBe(false);
});

test("a remote that wants a password is an error, and nobody is prompted", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  const server = createServer((_, response) => {
    response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  try {
    ana.git("config", "remote.origin.url", `http://127.0.0.1:${port}/team.git`);
    ana.write(knowledge("a"), "x");
    await expect(mine.pull("ours")).rejects.toThrow(/could not read Username|Authentication failed/i);
    expect(await mine.push("")).toMatchObject({
      status: "committed",
      push_error: expect.stringMatching(/could not read Username|Authentication failed/i),
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("while another program holds the index, push and pull are refused before anything changes", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write("code.txt", "changed\n");
  ana.git("commit", "-qam", "code");
  ana.write(knowledge("a"), "x");
  const head = ana.git("rev-parse", "HEAD");
  ana.write(".git/index.lock", "");
  await expect(mine.push("")).rejects.toMatchObject({ code: "busy" });
  ana.remove(".git/index.lock");
  expect([ana.git("rev-parse", "HEAD"), ana.git("diff", "--cached", "--name-only")]).toEqual([head, ""]);
  expect(await mine.push("")).toMatchObject({
    status: "pushed",
    warnings: ["1 commit of your own was published with it"],
  });
  ben.write(".git/index.lock", "");
  await expect(hers.pull("ours")).rejects.toThrow(/Another git program holds/);
  expect([ben.read(knowledge("a")), ben.read("code.txt")]).toEqual([undefined, "one\ntwo\nthree\n"]);
  ben.remove(".git/index.lock");
  expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
  expect([ben.read(knowledge("a")), ben.read("code.txt")]).toEqual(["x", "changed\n"]);
});

test("a shallow clone syncs if it has the common commit, and otherwise says what is missing", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write(knowledge("a"), "x");
  await mine.push("");
  team.remote.git("clone", "-q", "--depth", "1", `file://${team.remote.path}`, "../shallow");
  const shallow = openClone(join(team.home, "..", "shallow"));
  const theirs = syncOf(shallow);
  ana.write(knowledge("b"), "y");
  await mine.push("");
  shallow.write(knowledge("c"), "z");
  expect(await theirs.pull("ours")).toMatchObject({ status: "pulled" });
  expect(await theirs.push("")).toMatchObject({ status: "pushed" });
  team.remote.git("clone", "-q", "--depth", "1", `file://${team.remote.path}`, "../shallower");
  const shallower = openClone(join(team.home, "..", "shallower"));
  ana.git("push", "-qf", "origin", "HEAD~1:main");
  shallower.write(knowledge("d"), "d");
  await expect(syncOf(shallower).pull("ours")).rejects.toThrow(/--unshallow/);
});

test("a submodule stays where it was", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const commit = ana.git("rev-parse", "HEAD").trim();
  ana.git("update-index", "--add", "--cacheinfo", `160000,${commit},vendor/lib`);
  ana.git("commit", "-qm", "submodule");
  ana.write(knowledge("a"), "x");
  await mine.push("");
  ben.write(knowledge("b"), "y");
  expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
  expect(ben.git("ls-tree", "HEAD", "vendor/lib").split(/\s/).slice(0, 3)).toEqual([
    "160000",
    "commit",
    commit,
  ]);
});

test("a linked worktree syncs its own branch and obeys the repository's hooks", async () => {
  using pair = twoClones();
  const { ana, team } = pair;
  ana.git("worktree", "add", "-q", "-b", "side", "../linked");
  const linked = openClone(join(team.home, "..", "linked"));
  const head = ana.git("rev-parse", "main");
  linked.git("push", "-q", "origin", "side");
  linked.write(knowledge("k"), "x");
  expect(await syncOf(linked).push("")).toMatchObject({ status: "pushed" });
  expect([ana.git("rev-parse", "main"), ana.git("status", "--porcelain")]).toEqual([head, ""]);
  expect(team.remote.git("show", `side:${knowledge("k")}`)).toBe("x");
  hook(ana, ".git/hooks/pre-push", "exit 1");
  linked.write(knowledge("k"), "y");
  expect(await syncOf(linked).push("")).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining("pre-push"),
  });
});

test("with core.autocrlf the repository keeps line feeds, and a second push finds nothing", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.git("config", "core.autocrlf", "true");
  ana.write(knowledge("k"), "## A\r\na\r\n");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("show", `main:${knowledge("k")}`)).toBe("## A\na\n");
  expect(await mine.push("")).toEqual({ status: "nothing_to_push" });
  expect([ana.read(knowledge("k")), ana.git("status", "--porcelain", knowledge("k"))]).toEqual([
    "## A\r\na\r\n",
    "",
  ]);
});

test.each(["日本語", 'quote " and tab\t', "line\nbreak", "-dash", ":(glob)*"])(
  "a name of any signs travels: %j",
  async (name) => {
    using pair = twoClones();
    const { ana, ben, mine, hers } = pair;
    ana.write(knowledge(name), "x");
    expect(await mine.push("")).toMatchObject({ status: "pushed" });
    await hers.pull("ours");
    expect(ben.read(knowledge(name))).toBe("x");
    ana.remove(knowledge(name));
    await mine.push("");
    await hers.pull("ours");
    expect(ben.read(knowledge(name))).toBeUndefined();
  },
);

test("a store in a folder of the repository is synced there and nowhere else", async () => {
  using pair = twoClones();
  const { ana, ben, team } = pair;
  const [mine, hers] = [syncOf(ana, {}, "apps/web"), syncOf(ben, {}, "apps/web")];
  ana.write(`apps/web/${knowledge("k")}`, "x");
  ana.write(knowledge("other"), "of another store");
  mkdirSync(join(ben.path, "apps/web", STORE), { recursive: true });
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
  expect(ben.read(`apps/web/${knowledge("k")}`)).toBe("x");
  expect(team.remote.git("ls-tree", "-r", "--name-only", "main").trim().split("\n")).toEqual([
    `apps/web/${knowledge("k")}`,
    "code.txt",
  ]);
});

test("a repository of sha256 ids syncs", async () => {
  using pair = twoClones();
  const base = join(pair.team.home, "..");
  const remote = openClone(join(base, "sha256.git"));
  mkdirSync(remote.path);
  remote.git("init", "-q", "--bare", "-b", "main", "--template=", "--object-format=sha256");
  const one = freshRepository(join(base, "one"), "--object-format=sha256");
  one.git("remote", "add", "origin", remote.path);
  one.write(knowledge("k"), "## A\na\n## B\nb\n");
  expect(await syncOf(one).push("")).toMatchObject({ status: "pushed" });
  remote.git("clone", "-q", remote.path, "../two");
  const two = openClone(join(base, "two"));
  two.write(knowledge("k"), "## A\na2\n## B\nb\n");
  one.write(knowledge("k"), "## A\na\n## B\nb1\n");
  await syncOf(one).push("");
  expect(await syncOf(two).pull("ours")).toMatchObject({ status: "pulled" });
  expect(two.read(knowledge("k"))).toBe("## A\na2\n## B\nb1\n");
});

test("a branch that was deleted on the remote is created again by the next push", async () => {
  using pair = twoClones();
  const { ana, team } = pair;
  ana.git("checkout", "-q", "-b", "topic");
  ana.write(knowledge("k"), "x");
  const mine = syncOf(ana);
  await mine.push("");
  team.remote.git("update-ref", "-d", "refs/heads/topic");
  expect(await mine.pull("ours")).toEqual({ status: "up_to_date" });
  ana.write(knowledge("k"), "y");
  ana.write(knowledge("new"), "z");
  expect(await mine.pushOnShutdown(writtenByUs(ana, "knowledge/new.md"))).toMatchObject({
    push_error: expect.stringContaining("no branch topic"),
  });
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("show", `topic:${knowledge("k")}`)).toBe("y");
});

test("on shutdown an unpublished branch is not published", async () => {
  using pair = twoClones();
  const { ana, team } = pair;
  ana.git("checkout", "-q", "-b", "secret-project");
  ana.write("code.txt", "not for others\n");
  ana.git("commit", "-qam", "work in progress");
  ana.write(knowledge("k"), "x");
  expect(await syncOf(ana).pushOnShutdown(writtenByUs(ana, "knowledge/k.md"))).toMatchObject({
    push_error: expect.stringContaining("your own"),
  });
  expect(team.remote.git("branch", "--list")).not.toContain("secret-project");
});

test("a merge of the user in progress is an error", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(".git/MERGE_HEAD", ana.git("rev-parse", "HEAD"));
  ana.write(knowledge("k"), "x");
  await expect(mine.push("")).rejects.toThrow(/middle of a merge/);
  await expect(mine.pull("ours")).rejects.toThrow(/middle of a merge/);
});

test("a remote under another name is found, and an address for pushes is used for pushes", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.git("remote", "rename", "origin", "team");
  ana.git("config", "remote.team.pushurl", team.remote.path);
  ana.git("config", "remote.team.url", join(team.home, "mirror-that-is-down.git"));
  ana.write(knowledge("k"), "x");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("show", `main:${knowledge("k")}`)).toBe("x");
});

test("two clones that both started the memory's own branch are merged", async () => {
  using pair = twoClones();
  const { ana, ben } = pair;
  const [mine, hers] = [syncOf(ana, { branch: "memory" }), syncOf(ben, { branch: "memory" })];
  ana.write(knowledge("a"), "from ana");
  ben.write(knowledge("b"), "from ben");
  await mine.push("");
  expect(await hers.push("")).toMatchObject({ status: "pushed" });
  await mine.pull("ours");
  expect([
    ana.read(knowledge("b")),
    ben.read(knowledge("a")),
    ana.git("status", "--porcelain", "-uno"),
  ]).toEqual(["from ben", "from ana", ""]);
});

test("a branch that tracks a branch of another name syncs with it, but does not publish the user's own commits there", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers, team } = pair;
  ana.git("checkout", "-q", "-b", "topic", "--track", "origin/main");
  ben.write(knowledge("b"), "from ben");
  await hers.push("");
  expect(await mine.pull("ours")).toMatchObject({ status: "pulled" });
  ana.write(knowledge("a"), "from ana");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("show", `main:${knowledge("a")}`)).toBe("from ana");
  ana.write("code.txt", "work in progress\n");
  ana.git("commit", "-qam", "work in progress");
  ana.write(knowledge("a"), "again");
  expect(await mine.push("")).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining("published on main"),
  });
  expect(team.remote.git("branch", "--list").trim()).toBe("* main");
});

test("a push counts as done if another push has published the same commit", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  // Moves the branch itself, so that git finds it moved: as where two pushes of one commit meet.
  hook(team.remote, "hooks/update", 'git update-ref "$1" "$3"');
  ana.write(knowledge("a"), "x");
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("rev-parse", "main")).toBe(ana.git("rev-parse", "HEAD"));
});
