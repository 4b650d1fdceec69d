import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clone } from "../../../../tests/support/git-team.ts";
import { knowledge, STORE, syncOf, twoClones } from "../../../../tests/support/sync-pair.ts";

/** Makes a tree of entries as given, names that git would never check out included, and puts it on the remote. */
function publishTree(clone: Clone, remote: Clone, entries: readonly string[]): void {
  const hash = (text: string) => {
    clone.write("../blob", text);
    return clone.git("hash-object", "-w", "../blob").trim();
  };
  const tree = (rows: readonly string[]) => {
    clone.write("../rows", rows.join(""));
    const script = "git mktree --missing < ../rows";
    return clone.git("-c", `alias.make=!${script}`, "make").trim();
  };
  const inner = tree(entries.map((entry) => entry.replace("BLOB", hash("outside"))));
  const top = tree([`040000 tree ${inner}\t${STORE}\n`]);
  const commit = clone.git("commit-tree", top, "-p", "origin/main", "-m", "hostile").trim();
  clone.git("push", "-qf", remote.path, `${commit}:refs/heads/main`);
}

test.each([
  ["a way out", ["100644 blob BLOB\t..\n"]],
  ["a git directory", ["100644 blob BLOB\t.git\n"]],
])("%s in a teammate's tree is refused, and nothing is written", async (_name, entries) => {
  using pair = twoClones();
  const { ana, ben, hers, team } = pair;
  ben.write(knowledge("k"), "mine");
  publishTree(ana, team.remote, entries);
  const head = ben.git("rev-parse", "HEAD");
  await expect(hers.pull("theirs")).rejects.toMatchObject({ name: "DomainError", code: "conflict" });
  expect([ben.git("rev-parse", "HEAD"), ben.read(knowledge("k")), ben.read("code.txt")]).toEqual([
    head,
    "mine",
    "one\ntwo\nthree\n",
  ]);
});

test.each([
  ".pending_conflicts.json/x",
  "state/active.json/x",
  "preferences/user.json/x",
  "knowledge/.scope.json/x",
  ".LOCAL/scope.json",
])("a teammate's %s does not replace a local file", async (path) => {
  using pair = twoClones();
  const { ana, ben, hers } = pair;
  ana.write(`${STORE}/${path}`, "{}");
  ana.git("add", "-f", STORE);
  ana.git("commit", "-qm", "in the way");
  ana.git("push", "-q", "origin", "main");
  ben.write(knowledge("k"), "mine");
  expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
  expect(await hers.push("")).toMatchObject({ status: "pushed" });
  expect(existsSync(join(ben.path, STORE, path))).toBe(false);
});

test("a link in a teammate's store is not created here, and nothing is written through it", async () => {
  using pair = twoClones();
  const { ana, ben, hers, team } = pair;
  ana.write(`${STORE}/manifest.json`, "{}");
  symlinkSync(join(team.home, "..", "target"), join(ana.path, STORE, "knowledge"));
  ana.git("add", "-f", STORE);
  ana.git("commit", "-qm", "link");
  ana.git("push", "-q", "origin", "main");
  expect(await hers.pull("ours")).toMatchObject({ status: "pulled" });
  expect([ben.read(`${STORE}/manifest.json`), existsSync(join(ben.path, STORE, "knowledge"))]).toEqual([
    "{}",
    false,
  ]);
});

test("a store that a teammate turned into a link is refused whole", async () => {
  using pair = twoClones();
  const { ana, ben, hers, team } = pair;
  symlinkSync(team.home, join(ana.path, STORE));
  ana.git("add", "-f", STORE);
  ana.git("commit", "-qm", "link");
  ana.git("push", "-q", "origin", "main");
  ben.write(knowledge("k"), "mine");
  await expect(hers.pull("theirs")).rejects.toThrow(/is not a directory in/);
  expect(ben.read(knowledge("k"))).toBe("mine");
});

test("a name that becomes both a file and a folder is refused before anything is touched", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  ana.write(`${STORE}/skills/deploy/notes`, "a file");
  await mine.push("");
  ben.write(`${STORE}/skills/deploy/notes/more.md`, "in a folder");
  await expect(hers.pull("ours")).rejects.toThrow(/file and a folder|stand in the way/);
  expect(ben.read(`${STORE}/skills/deploy/notes/more.md`)).toBe("in a folder");
  await expect(hers.pull("ours")).rejects.toThrow(/file and a folder|stand in the way/);
});

test.each(["ext::sh -c touch% PLACE/ran", "--upload-pack=touch PLACE/ran", "-oProxyCommand=touch PLACE/ran"])(
  "a remote at %s runs nothing",
  async (address) => {
    using pair = twoClones();
    const { ana, mine, team } = pair;
    ana.git("config", "remote.origin.url", address.replace("PLACE", join(team.home, "..")));
    ana.write(knowledge("k"), "x");
    await expect(mine.pull("ours")).rejects.toThrow(/Could not fetch/);
    expect(await mine.push("")).toMatchObject({ status: "committed", push_error: expect.any(String) });
    expect(existsSync(join(team.home, "..", "ran"))).toBe(false);
  },
);

test("foreign files in the store are not overwritten if they were changed here", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const foreign = `${STORE}/notes.txt`;
  ana.write(foreign, "first");
  ana.git("add", "-f", foreign);
  ana.git("commit", "-qm", "notes");
  ana.write(knowledge("k"), "x");
  await mine.push("");
  await hers.pull("ours");
  expect(ben.read(foreign)).toBe("first");
  ana.write(foreign, "second");
  ana.git("commit", "-qam", "notes");
  ana.write(knowledge("k"), "y");
  await mine.push("");
  ben.write(foreign, "not committed");
  await expect(hers.pull("theirs")).rejects.toThrow(/uncommitted changes stand in the way: notes.txt/);
  expect([ben.read(foreign), ben.read(knowledge("k"))]).toEqual(["not committed", "x"]);
});

test("binary content is not decoded: one side is taken whole, and the conflict is reported", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const asset = `${STORE}/skills/deploy/logo.bin`;
  const write = (clone: Clone, bytes: readonly number[]) =>
    clone.git(
      "-c",
      `alias.put=!printf '${bytes.map((byte) => `\\${byte.toString(8)}`).join("")}' > ${asset}`,
      "put",
    );
  const read = (clone: Clone) => clone.git("hash-object", asset);
  ana.write(asset, "");
  write(ana, [0xff, 0xfe, 1]);
  await mine.push("");
  await hers.pull("ours");
  write(ana, [0xff, 0xfe, 2]);
  await mine.push("");
  write(ben, [0xff, 0xfe, 3]);
  const own = read(ben);
  expect(await hers.pull("agent")).toMatchObject({ status: "conflicts", files: [asset] });
  expect(await hers.pull("ours")).toMatchObject({ status: "merged", resolved: [asset] });
  expect(read(ben)).toBe(own);
});

test("a pending file with other paths resolves nothing outside the conflicts found", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers, team } = pair;
  ana.write(knowledge("k"), "a");
  await mine.push("");
  ben.write(knowledge("k"), "b");
  await hers.pull("agent");
  const file = `${STORE}/.pending_conflicts.json`;
  ben.write(file, (ben.read(file) ?? "").replaceAll(knowledge("k"), `${STORE}/../../outside`));
  await hers.resolve(`${STORE}/../../outside`, "z");
  await expect(hers.finalize()).rejects.toThrow(/Changed here since/);
  expect([existsSync(join(team.home, "..", "outside")), ben.read(knowledge("k"))]).toEqual([false, "b"]);
});

test("local state that another program committed is not used here, and the next push removes it from the branch", async () => {
  using pair = twoClones();
  const { ana, ben, hers } = pair;
  const local = `${STORE}/state/active.json`;
  ana.write(local, '{"current_task":"theirs"}');
  ana.git("add", "-f", local);
  ana.git("commit", "-qm", "state by another program");
  ana.git("push", "-q", "origin", "main");
  ben.write(local, '{"current_task":"mine"}');
  await hers.pull("theirs");
  expect(ben.read(local)).toBe('{"current_task":"mine"}');
  await syncOf(ben).push("");
  expect(ben.git("ls-tree", "-r", "--name-only", "HEAD")).not.toContain("active.json");
});
