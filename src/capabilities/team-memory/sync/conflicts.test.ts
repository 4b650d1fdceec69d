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
