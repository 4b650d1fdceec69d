import { expect, test } from "vitest";
import { knowledge, STORE, syncOf, twoClones, writtenByUs } from "../../../../../tests/support/sync-pair.ts";

const OUT = [
  ["an exclude file", ".git/info/exclude", `${STORE}/\n`],
  ["an exclude file, with another spelling", ".git/info/exclude", `/${STORE}\n`],
  ["a .gitignore", ".gitignore", `${STORE}/\n`],
  ["a pattern for everything in it", ".git/info/exclude", `${STORE}/**\n`],
] as const;

test.each(OUT)("a store that git ignores by %s is neither committed nor pushed", async (_by, file, rule) => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write(file, rule);
  ana.write(knowledge("mine"), "CANARY");
  const before = [ana.git("rev-parse", "HEAD"), team.remote.git("rev-parse", "main")];
  await mine.pushOnShutdown(writtenByUs(ana, "knowledge/mine.md"));
  await mine.push("").catch(() => undefined);
  expect([ana.git("rev-parse", "HEAD"), team.remote.git("rev-parse", "main")]).toEqual(before);
  expect(ana.read(knowledge("mine"))).toBe("CANARY");
});

test("the refusal names the rule, and the rule alone if it is in the user's own ignore file", async () => {
  using pair = twoClones();
  const { ana, mine } = pair;
  ana.write(knowledge("mine"), "x");
  ana.write(".git/info/exclude", `# mine\n${STORE}/\n`);
  await expect(mine.push("")).rejects.toThrow(
    `git ignores the store (.git/info/exclude:2: ${STORE}/), so nothing of it is committed or pushed.`,
  );
  ana.write(".git/info/exclude", "");
  ana.write("rules", `${STORE}\n`);
  ana.git("config", "core.excludesFile", `${ana.path}/rules`);
  await expect(mine.push("")).rejects.toThrow(`(your global ignore file:1: ${STORE})`);
});

test("ignored files of a shared store stay local and are named; tracked ones are still pushed", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  ana.write(knowledge("shared"), "one");
  expect(await mine.push("")).toMatchObject({ status: "pushed", warnings: [] });
  ana.write(".git/info/exclude", `${knowledge("*")}\n!${knowledge("back")}\n`);
  for (const key of ["shared", "scratch", "back"]) ana.write(knowledge(key), "two");
  const named = [`git ignores ${knowledge("scratch")}: not committed, not pushed`];
  expect(await mine.push("")).toMatchObject({ status: "pushed", warnings: named });
  expect(await mine.push("")).toEqual({ status: "nothing_to_push", warnings: named });
  const inStore = team.remote.git("ls-tree", "-r", "--name-only", "main", `${STORE}/`).trim().split("\n");
  expect(inStore).toEqual([knowledge("back"), knowledge("shared")]);
  expect(team.remote.git("show", `main:${knowledge("shared")}`)).toBe("two");
});

test("no commit names an ignored entry: its metadata moves to the local file, and the others stay", async () => {
  using pair = twoClones();
  const { ana, mine, team } = pair;
  const table = `${STORE}/knowledge/.meta.json`;
  const rows = {
    "back.md": { author: "a" },
    "removed.md": { removed_at: "2026" },
    "scratch.md": { author: "b" },
  };
  ana.write(".git/info/exclude", `${knowledge("scratch")}\n${knowledge("removed")}\n`);
  for (const key of ["scratch", "back"]) ana.write(knowledge(key), "two");
  ana.write(table, JSON.stringify(rows));
  expect(await mine.push("")).toMatchObject({ status: "pushed" });
  expect(JSON.parse(team.remote.git("show", `main:${table}`))).toEqual({ "back.md": { author: "a" } });
  expect(JSON.parse(ana.read(`${STORE}/.local/meta.json`) ?? "")).toEqual({
    "knowledge/removed.md": { removed_at: "2026" },
    "knowledge/scratch.md": { author: "b" },
  });
  expect(team.remote.git("log", "-p", "main")).not.toMatch(/scratch|removed/);
});

test("a teammate's file does not replace an ignored one of the same name", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ben.write(knowledge("scratch"), "theirs");
  await hers.push("");
  ana.write(".git/info/exclude", `${knowledge("scratch")}\n`);
  ana.write(knowledge("scratch"), "mine");
  await expect(mine.pull("theirs")).rejects.toThrow("stand in the way");
  expect(ana.read(knowledge("scratch"))).toBe("mine");
});

test("ignore rules also hold for a store on its own branch", async () => {
  using pair = twoClones();
  const { ana, team } = pair;
  ana.write(".git/info/exclude", `${STORE}/\n`);
  ana.write(knowledge("mine"), "x");
  await expect(syncOf(ana, { branch: "memory" }).push("")).rejects.toThrow("git ignores the store");
  expect(team.remote.git("branch", "--list", "memory")).toBe("");
});
