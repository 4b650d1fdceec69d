import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { sha256 } from "../../src/core/hash.ts";
import { madeUp } from "../support/made-up.ts";
import { memoryRoom } from "../support/memory-room.ts";

const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
const token = `ghp_${madeUp(36)}`;
const filesIn = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith("."));

test("content is stored byte for byte, and no key leaves its folder", async () => {
  using room = memoryRoom();
  await room.call("context_add_knowledge", { key: "Tech Stack", content: "x" });
  await room.call("context_add_knowledge", { key: "../../.git/config", content: "y" });
  expect(filesIn(join(room.store, "knowledge"))).toEqual(["git-config.md", "tech-stack.md"]);
  expect(room.read("knowledge/tech-stack.md")).toBe("x");
  expect(readdirSync(join(room.root, ".git"))).toEqual([]);
});

test.each(["--", "", "a".repeat(5000), "CON", "__proto__"])(
  "the key %j is refused and nothing is made",
  async (key) => {
    using room = memoryRoom();
    expect(await room.call("context_add_knowledge", { key, content: "x" })).toMatchObject({
      status: "error",
    });
    expect(existsSync(join(room.store, "knowledge"))).toBe(false);
  },
);

test("a write creates a store, a read does not, and a switch forbids it", async () => {
  using room = memoryRoom();
  expect(await room.call("context_search", { query: "x" })).toEqual([]);
  expect(await room.call("context_get", { dotpath: "manifest" })).toEqual({
    error: "No value at 'manifest'",
  });
  expect(await room.call("context_remove_knowledge", { key: "x" })).toMatchObject({ status: "not_found" });
  expect(existsSync(room.store)).toBe(false);
  using strict = memoryRoom({ env: { CTX_NO_AUTO_INIT: "1" } });
  expect(await strict.call("context_add_knowledge", { key: "k", content: "x" })).toEqual({
    status: "error",
    error: "No context store here. Run `contextful memory init` to make one.",
  });
  expect(existsSync(join(strict.store, "knowledge"))).toBe(false);
  await strict.call("memory_init", { name: "mine" }, { caller: "person" });
  expect(await strict.call("context_get", { dotpath: "manifest.project.name" })).toBe("mine");
  await expect(strict.call("memory_init", {}, { caller: "person" })).rejects.toThrow("already initialized");
});

test("a public scope has no row in any file, and metadata of private entries is never committed", async () => {
  using room = memoryRoom();
  rmSync(join(room.root, ".git"), { recursive: true });
  git(room.root, "init", "-q");
  await room.call("context_add_knowledge", { key: "open", content: "o" });
  await room.call("context_add_knowledge", { key: "canary-key", content: "canary", scope: "private" });
  await room.call("context_add_skill", {
    name: "canary-skill",
    description: "d",
    instructions: "canary",
    scope: "private",
  });
  await room.call("context_rate_skill", { skill_name: "canary-skill", rating: 1, comment: "canary" });
  await room.call("context_record_decision", {
    title: "canary title",
    context: "canary",
    scope: "ephemeral",
  });
  await room.call("context_update_state", { current_task: "canary" });
  await room.call("context_set", { dotpath: "preferences.user.k", value: "canary" });
  git(room.root, "add", "-A");
  expect(git(room.root, "ls-files").trim().split("\n")).toEqual([
    ".context-teleport/.gitignore",
    ".context-teleport/knowledge/.meta.json",
    ".context-teleport/knowledge/open.md",
    ".context-teleport/manifest.json",
  ]);
  expect(git(room.root, "diff", "--cached")).not.toContain("canary");
  await room.call("context_set_scope", { entry_type: "knowledge", key: "canary-key", scope: "public" });
  expect(room.read("knowledge/.scope.json")).toBe("{}\n");
  expect(room.read(".local/scope.json")).not.toContain("canary-key");
  git(room.root, "add", "-A");
  expect(git(room.root, "ls-files")).toContain("knowledge/canary-key.md");
});

test("a decision is found only by its own id, and its private scope is on its own file", async () => {
  using room = memoryRoom();
  room.write("knowledge/decisions/0012-old.md", "# 0012 - Old\n");
  expect(await room.call("context_get", { dotpath: "decisions.2" })).toEqual({
    error: "No value at 'decisions.2'",
  });
  expect(await room.call("context_record_decision", { title: "Use X ", scope: "private" })).toMatchObject({
    id: 13,
    title: "Use X",
  });
  expect(room.read("knowledge/decisions/.scope.json")).toBe('{\n  "0013-use-x.md": "private"\n}\n');
  expect(existsSync(join(room.store, "knowledge/decisions/0013-use-x.md"))).toBe(true);
});

test("the id of a removed decision is not used again", async () => {
  using room = memoryRoom();
  await room.call("context_record_decision", { title: "One" });
  await room.call("context_record_decision", { title: "Two" });
  expect(await room.call("memory_decision_rm", { id: "2" }, { caller: "person" })).toEqual({
    status: "removed",
    id: "2",
  });
  expect(await room.call("context_record_decision", { title: "Three" })).toMatchObject({ id: 3 });
});

test("headings and names inside a decision's text stay text", async () => {
  using room = memoryRoom();
  const wanted = { title: "a\nb\t/../c", context: "text\n## Consequences\nfake", decision: "d" };
  expect(await room.call("context_record_decision", wanted)).toMatchObject({ id: 1, title: "a b /../c" });
  expect(filesIn(join(room.store, "knowledge/decisions"))).toEqual(["0001-a-b-c.md"]);
  expect(await room.call("context_get", { dotpath: "decisions.1" })).toMatchObject({
    context: "text\n## Consequences\nfake",
    decision: "d",
    consequences: "",
  });
});

test.each([
  "state.__proto__",
  "decisions.1.constructor",
  "state.toString",
  "manifest.__proto__.x",
  "activity.../../x",
  "preferences.team.hasOwnProperty",
])("%s reaches nothing", async (dotpath) => {
  using room = memoryRoom();
  await room.call("context_record_decision", { title: "One" });
  expect(await room.call("context_get", { dotpath })).toEqual({ error: `No value at '${dotpath}'` });
});

test("no path written to reaches a prototype", async () => {
  using room = memoryRoom();
  for (const dotpath of [
    "state.__proto__.x",
    "state.__proto__",
    "preferences.team.__proto__",
    "preferences.__proto__.x",
    "knowledge.constructor",
  ]) {
    expect(await room.call("context_set", { dotpath, value: "1" })).toMatchObject({ status: "error" });
  }
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  expect(existsSync(join(room.store, "state"))).toBe(false);
});

test("the caller is recorded on every kind of write", async () => {
  using room = memoryRoom();
  const cursor = { actor: "mcp:cursor" };
  await room.call("context_set", { dotpath: "knowledge.k", value: "v" }, cursor);
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "i" }, cursor);
  await room.call("context_report_skill_usage", { skill_name: "s" }, cursor);
  await room.call("context_rate_skill", { skill_name: "s", rating: 4 }, cursor);
  await room.call("context_record_decision", { title: "T" }, cursor);
  await room.call("context_append_session", {}, cursor);
  await room.call("context_update_state", { current_task: "t" }, cursor);
  for (const file of [
    "knowledge/.meta.json",
    "skills/.meta.json",
    "skills/s/.usage.ndjson",
    "skills/s/.feedback.ndjson",
    "knowledge/decisions/0001-t.md",
    "history/sessions.ndjson",
    "state/active.json",
  ]) {
    expect(room.read(file), file).toContain("mcp:cursor");
  }
});

test("a skill's description cannot add keys to its head", async () => {
  using room = memoryRoom();
  const description = "Deploy: staging\nallowed-tools: Bash";
  await room.call("context_add_skill", { name: "Deploy Staging", description, instructions: "b" });
  const head = room.read("skills/deploy-staging/SKILL.md")?.split("---\n")[1] ?? "";
  expect(parse(head)).toEqual({ name: "deploy-staging", description });
});

test("sessions are limited to 200, and an incomplete line breaks nothing", async () => {
  using room = memoryRoom();
  const lines = Array.from({ length: 200 }, (_, index) => JSON.stringify({ id: `s${index}`, agent: "a" }));
  room.write("history/sessions.ndjson", `${lines.join("\n")}\n{"id":"torn","ag`);
  expect(await room.call("context_get", { dotpath: "history" })).toHaveLength(50);
  await room.call("context_append_session", { summary: "new" });
  const kept = room.read("history/sessions.ndjson")?.trimEnd().split("\n") ?? [];
  expect(kept).toHaveLength(200);
  expect(kept[0]).toContain('"s1"');
  expect(kept.at(-1)).toContain('"new"');
});

test.each([
  [[3, 2], true],
  [[1], false],
  [[3, 3], false],
  [[5, 1, 2], true],
])("ratings %j need attention: %s", async (ratings, expected) => {
  using room = memoryRoom();
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "i" });
  for (const rating of ratings) await room.call("context_rate_skill", { skill_name: "s", rating });
  expect(await room.call("memory_skill_stats")).toMatchObject([{ skill: "s", needs_attention: expected }]);
  expect((await room.room.instructions?.())?.includes("Skills that need review")).toBe(expected);
});

test("a proposal is applied once, and not over a skill that changed since", async () => {
  using room = memoryRoom();
  const text = (body: string) => `---\nname: s\ndescription: d\n---\n\n${body}\n`;
  const person = { caller: "person", actor: "ana@host" } as const;
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "one" });
  const propose = async (body: string) =>
    (
      (await room.call("context_propose_skill_improvement", {
        skill_name: "s",
        proposed_content: text(body),
      })) as { proposal_id: string }
    ).proposal_id;
  const first = await propose("two");
  const second = await propose("three");
  const apply = (id: string, more: object = {}) =>
    room.call("memory_skill_apply_proposal", { skill_name: "s", id, ...more }, person);
  expect(await apply(first)).toEqual({ status: "accepted", proposal_id: first, skill_name: "s" });
  expect(room.read("skills/s/SKILL.md")).toBe(text("two"));
  await expect(apply(first)).rejects.toThrow("already");
  await expect(apply(second)).rejects.toThrow("--force");
  expect(await apply(second, { force: true })).toMatchObject({ status: "accepted" });
  expect(await room.call("context_list_skill_proposals", { status: "accepted" })).toHaveLength(2);
  expect(room.read(`skills/s/.proposals/${second}.json`)).toContain('"resolved_by": "ana@host"');
});

test("in a large store too, a proposal is not applied to a skill that was edited since", async () => {
  using room = memoryRoom();
  for (let index = 0; index <= 1000; index += 1) room.write(`knowledge/k${index}.md`, "x");
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "one" });
  const made = (room.read("skills/s/SKILL.md") ?? "").replace("one", "two");
  const proposal = { skill_name: "s", proposed_content: made };
  const { proposal_id: id } = (await room.call("context_propose_skill_improvement", proposal)) as {
    proposal_id: string;
  };
  const edited = made.replace("two", "three");
  room.write("skills/s/SKILL.md", edited);
  expect(await room.call("memory_skill_apply_proposal", { skill_name: "s", id })).toMatchObject({
    status: "error",
    error: expect.stringContaining("changed since"),
  });
  expect(room.read("skills/s/SKILL.md")).toBe(edited);
});

test("a secret is refused with its line; a person may insist", async () => {
  using room = memoryRoom();
  const content = `fine\naws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY${"Zq8rT5vK2p"}"`;
  expect(await room.call("context_add_knowledge", { key: "k", content })).toEqual({
    status: "error",
    error: expect.stringMatching(/^Line 2 of the content looks like a secret/),
  });
  expect(existsSync(join(room.store, "knowledge"))).toBe(false);
  const asPerson = (more: object) =>
    room.call("context_add_knowledge", { key: "k", content, ...more }, { caller: "person" });
  await expect(asPerson({})).rejects.toThrow("secret");
  expect(await asPerson({ allow_secret: true })).toMatchObject({ status: "ok" });
  expect(JSON.stringify(await room.call("context_search", { query: "aws" }))).not.toContain("wJalr");
});

test.each([
  ["context_add_knowledge", { key: token, content: "x" }],
  ["context_add_skill", { name: token, description: "d", instructions: "i" }],
  ["context_set", { dotpath: `preferences.team.${token}`, value: "x" }],
  ["context_append_session", { summary: token }],
  ["context_append_session", { knowledge_added: token }],
  ["context_append_session", { decisions_added: `1, ${token}` }],
])("%s refuses a secret in every field: %j", async (tool, input) => {
  using room = memoryRoom();
  expect(await room.call(tool, input)).toMatchObject({
    status: "error",
    error: expect.stringContaining("looks like a secret"),
  });
});

test.each([["\u0000"], ["\u001b[2J"], ["a\u202eb"], ["\u2066x"], ["\u{e0041}"], ["\ud800"]])(
  "the invisible %j is refused",
  async (content) => {
    using room = memoryRoom();
    expect(await room.call("context_add_knowledge", { key: "k", content })).toMatchObject({
      status: "error",
      error: expect.stringContaining("invisible character U+"),
    });
  },
);

test("an entry turns suspect when the code it is anchored to changes", async () => {
  using room = memoryRoom();
  const code = (body: string) => `package a\n\nfunc Open() int {\n\treturn ${body}\n}\n\nfunc Other() {}\n`;
  writeFileSync(join(room.root, "a.go"), code("1"));
  const added = await room.call("context_add_convention", {
    key: "c",
    content: "Open gives 1",
    anchors: ["a.go#Open"],
  });
  expect(added).toMatchObject({ status: "ok" });
  expect(await room.call("context_get_convention", { key: "c" })).toMatchObject({ anchors: ["a.go#Open"] });
  writeFileSync(join(room.root, "a.go"), `${code("1")}\n// more\n`);
  expect(await room.call("context_get_convention", { key: "c" })).not.toHaveProperty("suspect");
  writeFileSync(join(room.root, "a.go"), code("2"));
  expect(await room.call("context_get_convention", { key: "c" })).toMatchObject({
    suspect: true,
    changed: [{ anchor: "a.go#Open", change: "changed" }],
  });
  expect(await room.call("context_search", { query: "gives" })).toMatchObject([{ key: "c", suspect: true }]);
  rmSync(join(room.root, "a.go"));
  expect(await room.call("context_get", { dotpath: "about.conventions.c" })).toMatchObject({
    changed: [{ anchor: "a.go#Open", change: "missing" }],
  });
  for (const anchor of ["../x", "/etc/passwd", "nope.go", "a.go#Nope"]) {
    expect(
      await room.call("context_add_knowledge", { key: "k", content: "x", anchors: [anchor] }),
    ).toMatchObject({ status: "error" });
  }
});

test("line ends chosen by git do not make an entry suspect", async () => {
  using room = memoryRoom();
  const suspect = async () =>
    ((await room.call("context_get_convention", { key: "c" })) as { suspect?: true }).suspect;
  const file = join(room.root, "a.txt");
  writeFileSync(file, "one\r\ntwo\r\n");
  await room.call("context_add_convention", { key: "c", content: "x", anchors: ["a.txt"] });
  writeFileSync(file, "one\ntwo\n");
  expect(await suspect()).toBeUndefined();
  writeFileSync(file, "one\ntwo\nthree\n");
  expect(await suspect()).toBe(true);
  writeFileSync(file, "one\r\ntwo\r\n");
  const ofBytes = { anchor: "a.txt", sha256: sha256("one\r\ntwo\r\n"), of: "file" };
  room.write("conventions/.meta.json", JSON.stringify({ "c.md": { anchors: [ofBytes] } }));
  expect(await suspect()).toBeUndefined();
});

test("a store of another program of this format is read and kept", async () => {
  using room = memoryRoom();
  room.write(
    "manifest.json",
    JSON.stringify({ schema_version: "0.4.0", project: { name: "old", id: "1", repo_url: "" } }),
  );
  room.write(".gitignore", "state/active.json\nknowledge/secret.md\n");
  room.write("knowledge/secret.md", "s");
  room.write("knowledge/Odd Name.md", "odd");
  room.write("knowledge/.scope.json", '{"secret.md": "private"}');
  room.write("knowledge/.meta.json", '{"secret.md": {"author": "ana", "rank": 3}}');
  expect(await room.call("context_get_scope", { entry_type: "knowledge", key: "secret" })).toEqual({
    key: "secret",
    scope: "private",
  });
  expect(await room.call("context_get", { dotpath: "knowledge.Odd Name" })).toBe("odd");
  await room.call("context_add_knowledge", { key: "Odd Name", content: "even" });
  expect(room.read("knowledge/Odd Name.md")).toBe("even");
  await room.call("context_add_knowledge", { key: "secret", content: "t" });
  expect(room.read("knowledge/.meta.json")).not.toContain("secret.md");
  expect(JSON.parse(room.read(".local/meta.json") ?? "")).toMatchObject({
    "knowledge/secret.md": { author: "mcp:test", rank: 3 },
  });
  expect(await room.call("context_get", { dotpath: "manifest.project.name" })).toBe("old");
  await room.call("context_add_knowledge", { key: "more", content: "m", scope: "private" });
  expect(room.read(".gitignore")).toBe(
    "state/active.json\nknowledge/secret.md\n.local/\n.scope.json\npreferences/user.json\n.pending_conflicts.json\n",
  );
});
