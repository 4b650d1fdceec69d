import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packTar } from "../../src/capabilities/team-memory/bundle/tar.ts";
import { filledRoom, type MemoryRoom, memoryRoom } from "../support/memory-room.ts";

const person = { caller: "person" } as const;

test("a bundle carries public entries, and private ones only when asked, still private", async () => {
  using room = await filledRoom();
  const file = join(room.root, "..", "team.ctxbundle");
  expect(await room.call("memory_bundle_export", { file }, person)).toMatchObject({ private_entries: 0 });
  using other = memoryRoom();
  const imported = (await other.call("memory_bundle_import", { file }, person)) as { imported: string[] };
  expect(imported.imported.toSorted()).toEqual([
    "conventions/git.md",
    "history/sessions.ndjson",
    "knowledge/decisions/0001-use-x.md",
    "knowledge/stack.md",
    "skills/deploy/SKILL.md",
  ]);
  expect(await other.call("memory_bundle_import", { file }, person)).toMatchObject({
    imported: [],
    skipped: [],
  });
  const everything = { file, include_private: true };
  await expect(room.call("memory_bundle_export", everything, person)).rejects.toThrow("--force");
  expect(await room.call("memory_bundle_export", { ...everything, force: true }, person)).toMatchObject({
    private_entries: 1,
  });
  await other.call("memory_bundle_import", { file }, person);
  expect(await other.call("context_get_scope", { entry_type: "knowledge", key: "hidden" })).toEqual({
    key: "hidden",
    scope: "private",
  });
});

test("an import overwrites only when asked and gives a decision of another text a new id", async () => {
  using room = await filledRoom();
  const file = join(room.root, "..", "team.ctxbundle");
  await room.call("memory_bundle_export", { file }, person);
  using other = memoryRoom();
  await other.call("context_add_knowledge", { key: "stack", content: "MySQL" });
  await other.call("context_record_decision", { title: "Use Y" });
  expect(await other.call("memory_bundle_import", { file }, person)).toMatchObject({
    skipped: [{ file: "knowledge/stack.md" }],
  });
  expect(await other.call("context_get", { dotpath: "decisions" })).toMatchObject([
    { id: 1, title: "Use Y" },
    { id: 2, title: "Use X" },
  ]);
  expect(other.read("knowledge/decisions/0002-use-x.md")).toMatch(/^# 0002 - Use X\n/);
  await other.call("memory_bundle_import", { file, overwrite: true }, person);
  expect(await other.call("context_get", { dotpath: "knowledge.stack" })).toBe("PostgreSQL");
});

const inStore = (name: string, content = "x") => ({
  name: `.context-teleport/${name}`,
  content: Buffer.from(content),
});
const linkTar = () => {
  const tar = packTar([inStore("knowledge/a.md", "")]);
  tar.write("2", 156);
  const sum = tar
    .subarray(0, 512)
    .reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return tar;
};
/** Imports a bundle made of these files, by their names in the store. */
function importFiles(room: MemoryRoom, files: Readonly<Record<string, string>>, more: object = {}) {
  const file = join(room.root, "made.ctxbundle");
  const entries = Object.entries(files).map(([name, content]) => inStore(name, content));
  writeFileSync(file, gzipSync(packTar(entries)));
  return room.call("memory_bundle_import", { file, ...more }, person);
}

test("a skill's log comes with its skill, and never makes public what was private", async () => {
  using room = memoryRoom();
  const skill = (name: string) => `---\nname: ${name}\ndescription: d\n---\n\nb\n`;
  const log = '{"id":"1","rating":5,"comment":"canary"}\n';
  room.write("skills/open/SKILL.md", skill("open"));
  expect(
    await importFiles(room, {
      "skills/.scope.json":
        '{"hidden/SKILL.md":"private","open/SKILL.md":"private","bad/SKILL.md":"private"}',
      "skills/bad/SKILL.md": "no head",
      "skills/bad/.feedback.ndjson": log,
      "skills/hidden/SKILL.md": skill("hidden"),
      "skills/hidden/.feedback.ndjson": log,
      "skills/open/SKILL.md": skill("open"),
      "skills/open/.feedback.ndjson": log,
    }),
  ).toMatchObject({
    imported: ["skills/hidden/SKILL.md", "skills/hidden/.feedback.ndjson"],
    unchanged: ["skills/open/SKILL.md"],
    skipped: [
      { file: "skills/bad/SKILL.md" },
      { file: "skills/bad/.feedback.ndjson", reason: "its skill was not imported" },
      { file: "skills/open/.feedback.ndjson", reason: "it is private in the bundle and public here" },
    ],
  });
  expect(await room.call("context_get_scope", { entry_type: "skill", key: "hidden" })).toMatchObject({
    scope: "private",
  });
});

test("an entry that is private in a bundle does not overwrite a public one", async () => {
  using room = memoryRoom();
  room.write("knowledge/k.md", "open");
  const files = { "knowledge/.scope.json": '{"k.md":"private"}', "knowledge/k.md": "hidden" };
  expect(await importFiles(room, files, { overwrite: true })).toMatchObject({
    skipped: [{ file: "knowledge/k.md", reason: "it is private in the bundle and public here" }],
  });
  expect(room.read("knowledge/k.md")).toBe("open");
});

test("what a bundle holds and memory does not take is told", async () => {
  using room = memoryRoom();
  expect(
    await importFiles(room, {
      "knowledge/A B.md": "one",
      "knowledge/a-b.md": "two",
      "state/roadmap.json": "{}",
      "preferences/team.json": '{"values":{"style":"short"}}',
    }),
  ).toEqual({
    imported: ["knowledge/a-b.md", "preferences/team.json"],
    unchanged: [],
    skipped: [
      { file: "knowledge/a-b.md", reason: "another file of the bundle is knowledge/a-b.md too" },
      { file: "state/roadmap.json", reason: expect.stringContaining("only entries") },
    ],
  });
  expect(await room.call("context_get", { dotpath: "preferences.team.style" })).toBe("short");
  const others = { "preferences/team.json": '{"values":{"style":"long"}}' };
  expect(await importFiles(room, others)).toMatchObject({
    skipped: [{ reason: "values.style: set differently; use --overwrite" }],
  });
});

test("imported sessions are checked line by line and kept within the limit", async () => {
  using room = memoryRoom();
  const session = (at: number) =>
    JSON.stringify({
      id: `s${at}`,
      started: `2025-01-01T00:00:00.${1000 + at}Z`,
      summary: at === 5 ? "\u0000" : "",
    });
  await room.call("context_append_session", { summary: "mine" });
  const lines = Array.from({ length: 300 }, (_, at) => session(at));
  expect(await importFiles(room, { "history/sessions.ndjson": lines.join("\n") })).toMatchObject({
    skipped: [{ file: "history/sessions.ndjson", reason: expect.stringContaining("U+0000") }],
  });
  const kept = room.read("history/sessions.ndjson")?.trimEnd().split("\n") ?? [];
  expect(kept).toHaveLength(200);
  expect(kept.at(-1)).toContain('"mine"');
});

test("names may begin with ./ as tar writes them", async () => {
  using room = memoryRoom();
  const file = join(room.root, "made.ctxbundle");
  const { name, content } = inStore("knowledge/k.md");
  writeFileSync(file, gzipSync(packTar([{ name: `./${name}`, content }])));
  expect(await room.call("memory_bundle_import", { file }, person)).toMatchObject({
    imported: ["knowledge/k.md"],
  });
});

test.each([
  ["no store", packTar([{ name: "notes.md", content: Buffer.from("x") }])],
  ["a name with ..", packTar([inStore("../../x.md")])],
  ["an absolute name", packTar([{ name: "/etc/x", content: Buffer.from("x") }])],
  ["a name with a backslash", packTar([inStore("knowledge/..\\x.md")])],
  ["a link", linkTar()],
  ["one name twice", packTar([inStore("knowledge/a.md"), inStore("knowledge/a.md")])],
  ["a torn end", packTar([inStore("knowledge/a.md", "x".repeat(2000))]).subarray(0, 1200)],
  ["a schema from the future", packTar([inStore("manifest.json", '{"schema_version":"9.0.0"}')])],
  ["scopes that cannot be read", packTar([inStore("knowledge/.scope.json", "{"), inStore("knowledge/a.md")])],
])("a bundle with %s is refused whole", async (_name, tar) => {
  using room = memoryRoom();
  const file = join(room.root, "bad.ctxbundle");
  writeFileSync(file, gzipSync(tar));
  await expect(room.call("memory_bundle_import", { file }, person)).rejects.toThrow("Nothing was imported");
  expect(room.read("knowledge/a.md")).toBeUndefined();
});

test("a bundle that unpacks to too much, or is none, is refused", async () => {
  using room = memoryRoom();
  const file = join(room.root, "bad.ctxbundle");
  writeFileSync(file, gzipSync(Buffer.alloc(70 * 1024 * 1024)));
  await expect(room.call("memory_bundle_import", { file }, person)).rejects.toThrow("too large");
  writeFileSync(file, "no gzip");
  await expect(room.call("memory_bundle_import", { file }, person)).rejects.toThrow("not a gzipped tar");
  await expect(room.call("memory_bundle_import", { file: "nope" }, person)).rejects.toThrow("No such file");
});
