import { expect, test } from "vitest";
import { knowledge, syncOf, twoClones } from "../../../../tests/support/sync-pair.ts";

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

test("pull saves conflicts and touches nothing; finalize creates a merge of two parents", async () => {
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
  expect(ben.git("log", "-1", "--format=%s").trim()).toBe("ctx: merge origin/main, conflicts resolved");
  expect(await hers.status()).toEqual({ status: "clean" });
  await expect(hers.abort()).rejects.toThrow("No pending conflicts to abort");
  expect(await hers.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("log", "--all", "--name-only", "--format=")).not.toContain("pending");
});

test("what a teammate pushes meanwhile is merged later, not overwritten", async () => {
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

test("finalize refuses an entry that was edited after the conflict was found", async () => {
  using pair = await inConflict();
  const { ben, hers } = pair;
  await hers.pull("agent");
  await hers.resolve(knowledge("k"), "settled");
  ben.write(knowledge("k"), "## A\nben again\n## B\nb\n");
  await expect(hers.finalize()).rejects.toThrow(/Changed here since/);
  expect(ben.read(knowledge("k"))).toBe("## A\nben again\n## B\nb\n");
});

test("an entry created in two clones is a conflict with an empty base", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write(knowledge("k"), "ana's\n");
  ben.write(knowledge("k"), "ben's\n");
  await mine.push("");
  expect(await hers.pull("agent")).toMatchObject({ status: "conflicts", files: [knowledge("k")] });
  expect(await hers.detail(knowledge("k"))).toMatchObject({ kind: "add/add", base_content: "" });
  expect(await hers.finalize()).toMatchObject({ kept_ours: [knowledge("k")], resolved: 0 });
  expect(ben.read(knowledge("k"))).toBe("ben's\n");
});

test("a push with a conflict says so, saves it for the agent, and succeeds afterwards", async () => {
  using pair = await inConflict();
  const { ben, hers, team } = pair;
  expect(await hers.push("")).toMatchObject({
    status: "committed",
    push_error: expect.stringContaining(knowledge("k")),
    ahead: 1,
    behind: 1,
  });
  await hers.resolve(knowledge("k"), "settled");
  await hers.finalize();
  expect(await hers.push("")).toMatchObject({ status: "pushed" });
  expect(team.remote.git("rev-parse", "main")).toBe(ben.git("rev-parse", "HEAD"));
});

test("a merge that the user made meanwhile is not repeated", async () => {
  using pair = await inConflict();
  const { ben, hers } = pair;
  await hers.pull("agent");
  await hers.resolve(knowledge("k"), "settled by the agent");
  ben.git("commit", "-qam", "mine");
  expect(() => ben.git("merge", "-q", "origin/main")).toThrow();
  ben.write(knowledge("k"), "settled by hand");
  ben.git("commit", "-qam", "merged by hand");
  await expect(hers.finalize()).rejects.toThrow(/merged here by other means/);
  expect(await hers.abort()).toEqual({ status: "aborted" });
  expect([ben.read(knowledge("k")), await hers.pull("agent")]).toEqual([
    "settled by hand",
    { status: "up_to_date" },
  ]);
});

test("a conflict and its resolution survive a restart and another pull", async () => {
  using pair = await inConflict();
  const { ben } = pair;
  const found = await syncOf(ben).pull("agent");
  await syncOf(ben).resolve(knowledge("k"), "settled");
  expect(await syncOf(ben).pull("agent")).toEqual(found);
  expect(await syncOf(ben).status()).toMatchObject({
    report: { total: 1, unresolved: 0, conflicts: [{ file_path: knowledge("k"), resolved: true }] },
  });
});

test("a file that one side deleted is not merged automatically, and an empty resolution deletes it", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write(knowledge("café"), "## A\na\n## B\nb\n");
  await mine.push("");
  await hers.pull("ours");
  ana.remove(knowledge("café"));
  await mine.push("");
  ben.write(knowledge("café"), "## A\na2\n## B\nb\n");
  await hers.pull("agent");
  expect(await hers.detail(knowledge("café"))).toMatchObject({
    kind: "modify/delete",
    diff: expect.stringContaining(`--- ${knowledge("café")} (ours)\n+++ ${knowledge("café")} (theirs)\n`),
    section_analysis: {
      has_section_conflicts: true,
      conflict_details: ["deleted by theirs, changed by ours"],
      auto_merged_content: null,
    },
  });
  await hers.resolve(knowledge("café"), "");
  expect(await hers.finalize()).toMatchObject({ status: "merged", resolved: 1 });
  expect(ben.read(knowledge("café"))).toBeUndefined();
});

test("conflicts of more than eight megabytes are saved like others", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write(knowledge("k"), `ana\n${"x".repeat(5_000_000)}\n`);
  ben.write(knowledge("k"), `ben\n${"x".repeat(5_000_000)}\n`);
  await mine.push("");
  await hers.pull("agent");
  expect(await hers.status()).toMatchObject({ status: "conflicts", report: { unresolved: 1 } });
  await hers.resolve(knowledge("k"), "settled");
  await hers.finalize();
  expect(ben.read(knowledge("k"))).toBe("settled");
});

test("an unreadable pending file is an error; abort or another pull removes it", async () => {
  using pair = await inConflict();
  const { ben, hers } = pair;
  const file = ".context-teleport/.pending_conflicts.json";
  ben.write(file, "{ torn");
  await expect(hers.status()).rejects.toThrow(/cannot be read/);
  await expect(hers.push("")).rejects.toThrow(/cannot be read/);
  expect(await hers.abort()).toEqual({ status: "aborted" });
  ben.write(file, "{ torn");
  expect(await hers.pull("agent")).toMatchObject({ status: "conflicts" });
  expect(await hers.status()).toMatchObject({ report: { total: 1 } });
});
