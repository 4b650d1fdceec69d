import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Clone } from "../../../../tests/support/git-team.ts";
import { knowledge, STORE, twoClones } from "../../../../tests/support/sync-pair.ts";
import { sha256 } from "../../../core/hash.ts";

const MANIFEST = `${STORE}/manifest.json`;
const decision = (name: string) => `${STORE}/knowledge/decisions/${name}.md`;
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const manifest = (id: string) => json({ project: { id, name: "x" } });
const filesOf = (clone: Clone) => clone.git("ls-tree", "-r", "--name-only", "main").trim().split("\n");

/** Ana's store is on the remote and in Ben's clone. */
async function shared() {
  const pair = twoClones();
  const { ana, ben, mine } = pair;
  ana.write(MANIFEST, manifest("one"));
  ana.write(knowledge("k"), "x");
  await mine.push("");
  ben.git("pull", "-q", "origin", "main");
  return pair;
}

describe("a store that is not there was not removed entry by entry", () => {
  test.each([
    ["gone", (clone: Clone) => clone.remove(STORE), /missing here.*git checkout -- \.context-teleport/],
    [
      "gone but for what a sync left",
      (clone: Clone) => {
        clone.remove(STORE);
        clone.write(`${STORE}/.local/.gitignore`, "*\n");
      },
      /missing here/,
    ],
    [
      "gone and created again",
      (clone: Clone) => {
        clone.remove(STORE);
        clone.write(MANIFEST, manifest("two"));
        clone.write(knowledge("new"), "y");
      },
      /is new and not the one on the branch.*git checkout -- \.context-teleport/,
    ],
    [
      "outside a sparse checkout",
      (clone: Clone) => void clone.git("sparse-checkout", "set", "--no-cone", "/*", `!/${STORE}`),
      /missing here.*git sparse-checkout add \.context-teleport/,
    ],
  ])("%s: neither push nor pull goes on", async (_name, lose, message) => {
    using pair = await shared();
    const { ben, hers, team } = pair;
    lose(ben);
    const before = existsSync(join(ben.path, STORE));
    await expect(hers.pull("ours")).rejects.toThrow(message);
    await expect(hers.push("")).rejects.toThrow(message);
    expect(existsSync(join(ben.path, STORE))).toBe(before);
    expect(filesOf(team.remote)).toContain(knowledge("k"));
  });

  test("brought back as the message says, it syncs again", async () => {
    using pair = await shared();
    const { ben, hers } = pair;
    ben.remove(STORE);
    ben.git("checkout", "--", STORE);
    expect(await hers.push("")).toEqual({ status: "nothing_to_push" });
  });

  test("entries that git leaves out of the work tree stay on the branch", async () => {
    using pair = await shared();
    const { ben, hers, team } = pair;
    ben.git("sparse-checkout", "set", "--no-cone", "/*", `!/${knowledge("k")}`);
    expect(ben.read(knowledge("k"))).toBeUndefined();
    ben.write(knowledge("other"), "y");
    expect(await hers.push("")).toMatchObject({ status: "pushed" });
    expect(filesOf(team.remote)).toEqual(expect.arrayContaining([knowledge("k"), knowledge("other")]));
    expect(ben.git("status", "--porcelain")).toBe("");
  });
});

test("conflicts that git left in the store are not pushed", async () => {
  using pair = await shared();
  const { ben, hers, team } = pair;
  ben.write(knowledge("k"), "stashed");
  ben.git("stash", "-q");
  ben.write(knowledge("k"), "committed");
  ben.git("commit", "-qam", "mine");
  expect(() => ben.git("stash", "pop", "-q")).toThrow();
  await expect(hers.push("")).rejects.toThrow(/unresolved conflicts in the store: knowledge\/k\.md/);
  expect(team.remote.git("show", `main:${knowledge("k")}`)).toBe("x");
});

describe("what a teammate commits cannot decide what is private here", () => {
  const LOCAL_SCOPES = `${STORE}/.local/scope.json`;

  /** Ben has a private entry; then Ana's files come by plain git, over his. */
  async function overwritten(files: Readonly<Record<string, string>>) {
    const pair = await shared();
    const { ana, ben } = pair;
    ben.write(`${STORE}/.local/.gitignore`, "*\n");
    ben.write(LOCAL_SCOPES, json({ "knowledge/secret.md": "private" }));
    ben.write(`${STORE}/knowledge/.gitignore`, "/.gitignore\n/.scope.json\n/secret.md\n");
    ben.write(`${STORE}/knowledge/.scope.json`, json({ "secret.md": "private" }));
    ben.write(knowledge("secret"), "CANARY");
    for (const [file, text] of Object.entries(files)) ana.write(file, text);
    ana.git("add", "-f", ...Object.keys(files));
    ana.git("commit", "-qm", "hostile");
    ana.git("push", "-q", "origin", "main");
    ben.git("pull", "-q", "origin", "main");
    return pair;
  }

  test("files of one clone that git tracks stop every sync", async () => {
    using pair = await overwritten({ [LOCAL_SCOPES]: "{}", [`${STORE}/knowledge/.scope.json`]: "{}" });
    await expect(pair.hers.push("")).rejects.toThrow(/belong to one clone alone: \.local\/scope\.json/);
    await expect(pair.hers.pull("ours")).rejects.toThrow(/belong to one clone alone/);
    expect(pair.team.remote.git("log", "-p", "--all")).not.toContain("CANARY");
  });

  test("scopes that another program committed make nothing public", async () => {
    using pair = await overwritten({ [`${STORE}/knowledge/.scope.json`]: "{}" });
    pair.ben.write(knowledge("open"), "y");
    expect(await pair.hers.push("")).toMatchObject({ status: "pushed" });
    expect(pair.team.remote.git("log", "-p", "--all")).not.toContain("CANARY");
  });

  test("a journal that came by git is not played", async () => {
    const steps = [{ path: ".local/scope.json", staged: "0123456789abcdef", sha256: sha256("{}") }];
    using pair = await overwritten({
      [`${STORE}/.local/journal.json`]: JSON.stringify({ steps }),
      [`${STORE}/.local/tmp/0123456789abcdef`]: "{}",
    });
    await expect(pair.hers.push("")).rejects.toThrow(/belong to one clone alone/);
    expect(JSON.parse(pair.ben.read(LOCAL_SCOPES) ?? "")).toEqual({ "knowledge/secret.md": "private" });
  });

  test("a private entry that git put the team's over does not delete the team's", async () => {
    using pair = await overwritten({
      [knowledge("secret")]: "the team's",
      [`${STORE}/knowledge/.meta.json`]: json({ "secret.md": { created_at: "2026-01-01T00:00:00Z" } }),
    });
    const { ben, hers, team } = pair;
    ben.write(
      `${STORE}/.local/meta.json`,
      json({ "knowledge/secret.md": { created_at: "2026-01-02T00:00:00Z" } }),
    );
    await expect(hers.push("")).rejects.toThrow(/named like private ones of yours: knowledge\/secret\.md/);
    expect(team.remote.git("show", `main:${knowledge("secret")}`)).toBe("the team's");
    const own = json({ "knowledge/secret.md": { created_at: "2026-01-01T00:00:00Z" } });
    ben.write(`${STORE}/.local/meta.json`, own);
    expect(await hers.push("")).toMatchObject({ status: "pushed" });
    expect(filesOf(team.remote)).not.toContain(knowledge("secret"));
  });
});

describe("decision numbers", () => {
  test("a private decision gives way to a pulled one of its number, with its scope and its record", async () => {
    using pair = await shared();
    const { ana, ben, mine, hers, team } = pair;
    ana.write(decision("0001-a"), "# 0001 - A\n");
    await mine.push("");
    ben.write(decision("0001-b"), "# 0001 - CANARY\n");
    ben.write(`${STORE}/.local/scope.json`, json({ "knowledge/decisions/0001-b.md": "private" }));
    ben.write(`${STORE}/.local/meta.json`, json({ "knowledge/decisions/0001-b.md": { author: "ben" } }));
    const renumbered = [{ from: "knowledge/decisions/0001-b.md", to: "knowledge/decisions/0002-b.md" }];
    expect(await hers.pull("ours")).toMatchObject({ status: "pulled", renumbered });
    expect([ben.read(decision("0001-b")), ben.read(decision("0002-b"))]).toEqual([
      undefined,
      "# 0002 - CANARY\n",
    ]);
    expect(
      ["scope", "meta"].map((name) => JSON.parse(ben.read(`${STORE}/.local/${name}.json`) ?? "")),
    ).toEqual([
      { "knowledge/decisions/0002-b.md": "private" },
      { "knowledge/decisions/0002-b.md": { author: "ben" } },
    ]);
    await hers.push("");
    expect(team.remote.git("log", "-p", "--all")).not.toContain("CANARY");
  });

  test("a private decision that meets one plain git brought is told even where there is nothing to sync", async () => {
    using pair = await shared();
    const { ana, ben, mine, hers } = pair;
    ana.write(decision("0001-a"), "# 0001 - A\n");
    await mine.push("");
    ben.write(decision("0001-b"), "# 0001 - B\n");
    ben.write(`${STORE}/.local/scope.json`, json({ "knowledge/decisions/0001-b.md": "ephemeral" }));
    ben.git("pull", "-q", "origin", "main");
    const renumbered = [{ from: "knowledge/decisions/0001-b.md", to: "knowledge/decisions/0002-b.md" }];
    expect(await hers.push("")).toEqual({ status: "nothing_to_push", renumbered });
    expect(await hers.push("")).toEqual({ status: "nothing_to_push" });
  });

  test("two that plain git merged under one number are told apart by the next sync, in each clone alike", async () => {
    using pair = await shared();
    const { ana, ben, mine, hers } = pair;
    const rows = { "0001-a.md": { created_at: "2026-01-02" }, "0001-b.md": { created_at: "2026-01-01" } };
    ana.write(decision("0001-a"), "# 0001 - A\n");
    ana.write(decision("0001-b"), "# 0001 - B\n");
    ana.write(`${STORE}/knowledge/decisions/.meta.json`, json(rows));
    ana.git("add", STORE);
    ana.git("commit", "-qm", "merged by hand");
    ana.git("push", "-q", "origin", "main");
    ben.git("pull", "-q", "origin", "main");
    const renumbered = [{ from: "knowledge/decisions/0001-a.md", to: "knowledge/decisions/0002-a.md" }];
    expect(await mine.push("")).toMatchObject({ status: "pushed", renumbered });
    expect(await hers.pull("ours")).toMatchObject({ status: "pulled", renumbered });
    expect([ben.read(decision("0001-b")), ben.read(decision("0002-a"))]).toEqual([
      "# 0001 - B\n",
      "# 0002 - A\n",
    ]);
    expect(ben.git("diff", "origin/main", "--", STORE)).toBe("");
  });
});
