import { expect, test } from "vitest";
import { knowledge, STORE, syncOf, twoClones } from "../../../../tests/support/sync-pair.ts";

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

test("teammates' code on the branch is merged if nothing blocks it", async () => {
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

test("uncommitted code that blocks the merge is named, and nothing is touched", async () => {
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
])("removed here and edited there: %s wins, and no empty file is left", async (strategy, expected) => {
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

test("two clones with the same decision number end with two numbers and both texts", async () => {
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
  expect([ben.read(decision("0001-a")), ben.read(decision("0001-b")), ben.read(decision("0002-b"))]).toEqual([
    "# 0001 - A\n",
    undefined,
    "# 0002 - B\n",
  ]);
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

test("with its own branch the memory syncs independently of the code", async () => {
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

test("records that both clones appended are merged by id without a conflict", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const files = [`${STORE}/history/sessions.ndjson`, `${STORE}/skills/deploy/.feedback.ndjson`];
  const line = (id: string) => `${JSON.stringify({ id, timestamp: `2026-01-0${id}` })}\n`;
  for (const file of files) ana.write(file, line("1"));
  await mine.push("");
  await hers.pull("ours");
  for (const file of files) ana.write(file, line("1") + line("2"));
  for (const file of files) ben.write(file, line("1") + line("3"));
  await mine.push("");
  expect(await hers.pull("agent")).toMatchObject({ status: "pulled", auto_resolved: files });
  expect(files.map((file) => ben.read(file))).toEqual(files.map(() => line("1") + line("2") + line("3")));
});

test("a renumbered decision keeps its author, and old numbers are not used again", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const folder = `${STORE}/knowledge/decisions`;
  const rows = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  ana.write(`${folder}/0001-a.md`, "# 0001 - A\n");
  ana.write(
    `${folder}/.meta.json`,
    rows({ "0001-a.md": { author: "ana" }, "0002-gone.md": { removed_at: "2026-01-01" } }),
  );
  ben.write(`${folder}/0001-b.md`, "# 0001 - B\n");
  ben.write(`${folder}/.meta.json`, rows({ "0001-b.md": { author: "ben" } }));
  await mine.push("");
  await hers.pull("ours");
  expect(ben.read(`${folder}/0003-b.md`)).toBe("# 0003 - B\n");
  expect(JSON.parse(ben.read(`${folder}/.meta.json`) ?? "")).toEqual({
    "0001-a.md": { author: "ana" },
    "0002-gone.md": { removed_at: "2026-01-01" },
    "0003-b.md": { author: "ben" },
  });
});

test("files with only a new timestamp do not block teammates' code", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write("code.txt", "changed\n");
  ana.git("commit", "-qam", "code");
  ana.write(knowledge("a"), "x");
  await mine.push("");
  ben.write("code.txt", "one\ntwo\nthree\n");
  expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
  expect([ben.read("code.txt"), ben.git("status", "--porcelain")]).toEqual(["changed\n", ""]);
});

test("conflicting code is named, and the store can still sync on its own branch", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write("code.txt", "ana\n");
  ana.git("commit", "-qam", "code");
  ana.write(knowledge("a"), "x");
  await mine.push("");
  ben.write("code.txt", "ben\n");
  ben.git("commit", "-qam", "code");
  ben.write(knowledge("b"), "y");
  await expect(hers.pull("ours")).rejects.toThrow(/conflict in code\.txt.*\[memory\] branch/);
  expect([ben.read("code.txt"), ben.read(knowledge("a"))]).toEqual(["ben\n", undefined]);
  await syncOf(ana, { branch: "memory" }).push("");
  expect(await syncOf(ben, { branch: "memory" }).pull("ours")).toMatchObject({ status: "pulled" });
  expect([ben.read(knowledge("a")), ben.read(knowledge("b"))]).toEqual(["x", "y"]);
});

test("many entries are synced with few processes", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const names = Array.from({ length: 600 }, (_, index) => `${"long-".repeat(20)}${index}`);
  for (const name of names) ana.write(knowledge(name), `text of ${name}`);
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
  expect(names.filter((name) => ben.read(knowledge(name)) !== `text of ${name}`)).toEqual([]);
});
