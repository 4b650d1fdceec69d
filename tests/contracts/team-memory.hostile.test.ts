import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryRoom } from "../support/memory-room.ts";

test("a link in place of an entry is neither read nor written through", async () => {
  using room = memoryRoom();
  const outside = join(room.root, "..", "outside.md");
  writeFileSync(outside, "outside canary");
  room.write("knowledge/good.md", "good canary");
  symlinkSync(outside, join(room.store, "knowledge", "bad.md"));
  expect(await room.call("context_search", { query: "canary" })).toMatchObject([{ key: "good" }]);
  expect(await room.call("context_get", { dotpath: "knowledge.bad" })).toEqual({
    error: "No value at 'knowledge.bad'",
  });
  await room.call("context_add_knowledge", { key: "bad", content: "mine" });
  expect(readFileSync(outside, "utf8")).toBe("outside canary");
});

test.each(["knowledge", "skills", "conventions", "knowledge/decisions", ".local", "state"])(
  "a store whose %s is a link is not followed out",
  async (folder) => {
    using room = memoryRoom();
    const outside = join(room.root, "..", "elsewhere");
    mkdirSync(outside);
    writeFileSync(join(outside, "x.md"), "canary");
    mkdirSync(join(room.store, folder, ".."), { recursive: true });
    symlinkSync(outside, join(room.store, folder));
    expect(await room.call("context_search", { query: "canary" })).toEqual([]);
    for (const [tool, input] of [
      ["context_add_knowledge", { key: "k", content: "x" }],
      ["context_add_convention", { key: "k", content: "x" }],
      ["context_add_skill", { name: "k", description: "d", instructions: "x" }],
      ["context_record_decision", { title: "k" }],
      ["context_update_state", { current_task: "k" }],
    ] as const) {
      await room.call(tool, input);
    }
    expect(execFileSync("ls", ["-A", outside], { encoding: "utf8" })).toBe("x.md\n");
  },
);

test("a store that is itself a link is refused", async () => {
  using room = memoryRoom();
  mkdirSync(join(room.root, "..", "elsewhere"));
  symlinkSync(join(room.root, "..", "elsewhere"), room.store);
  expect(await room.call("context_add_knowledge", { key: "k", content: "x" })).toMatchObject({
    status: "error",
    error: expect.stringContaining("is a link"),
  });
});

test("a link in place of the lock is refused", async () => {
  using room = memoryRoom();
  const outside = join(room.root, "..", "outside");
  writeFileSync(outside, "canary");
  mkdirSync(join(room.store, ".local"), { recursive: true });
  symlinkSync(outside, join(room.store, ".local", "store.lock"));
  expect(await room.call("context_add_knowledge", { key: "k", content: "x" })).toEqual({
    status: "error",
    error: ".local/store.lock of the context store is no regular file. Delete it and try again.",
  });
  expect(readFileSync(outside, "utf8")).toBe("canary");
});

test("who holds the lock is not written through a link", async () => {
  using room = memoryRoom();
  const outside = join(room.root, "..", "outside");
  writeFileSync(outside, "canary");
  mkdirSync(join(room.store, ".local"), { recursive: true });
  symlinkSync(outside, join(room.store, ".local", "store.holder.json"));
  expect(await room.call("context_add_knowledge", { key: "k", content: "x" })).toMatchObject({
    status: "ok",
  });
  expect(readFileSync(outside, "utf8")).toBe("canary");
});

test("invalid UTF-8, pipes, huge and odd files are reported and affect nothing else", async () => {
  using room = memoryRoom();
  room.write("knowledge/good.md", "canary");
  room.write("knowledge/latin.md", Buffer.from([0x63, 0xe9, 0x0a]));
  room.write("knowledge/huge.md", Buffer.alloc(9 * 1024 * 1024, "canary "));
  execFileSync("mkfifo", [join(room.store, "knowledge", "pipe.md")]);
  mkdirSync(join(room.store, "knowledge", "folder.md"));
  mkdirSync(join(room.store, "skills", "empty"), { recursive: true });
  expect(await room.call("context_search", { query: "canary" })).toMatchObject([{ key: "good" }]);
  const { problems } = (await room.call("memory_status")) as { problems: string[] };
  expect(problems.map((problem) => problem.split(" ")[0]).sort()).toEqual([
    "knowledge/huge.md",
    "knowledge/latin.md",
    "knowledge/pipe.md",
  ]);
});

test("an entry that cannot be read can be replaced and removed", async () => {
  using room = memoryRoom();
  const person = { caller: "person" } as const;
  const outside = join(room.root, "..", "outside.md");
  writeFileSync(outside, "canary");
  room.write("knowledge/latin.md", Buffer.from([0xe9]));
  room.write("knowledge/wrong.md", Buffer.from([0xe9]));
  room.write("knowledge/decisions/0003-latin.md", Buffer.from([0xe9]));
  room.write("skills/latin/SKILL.md", Buffer.from([0xe9]));
  mkdirSync(join(room.store, "skills/link"));
  for (const path of ["knowledge/link.md", "skills/link/SKILL.md"])
    symlinkSync(outside, join(room.store, path));
  expect([
    await room.call("context_add_knowledge", { key: "wrong", content: "right" }),
    await room.call("context_remove_knowledge", { key: "latin" }),
    await room.call("context_remove_knowledge", { key: "link" }),
    await room.call("context_record_decision", { title: "Next" }),
    await room.call("memory_decision_rm", { id: "3" }, person),
    await room.call("context_remove_skill", { name: "latin" }),
    await room.call("context_remove_skill", { name: "link" }),
  ]).toMatchObject([
    { status: "ok", key: "wrong", created: false },
    { status: "removed" },
    { status: "removed" },
    { id: 4 },
    { status: "removed" },
    { status: "removed" },
    { status: "removed" },
  ]);
  expect(await room.call("memory_status")).toMatchObject({ problems: [], knowledge_keys: ["wrong"] });
  expect(readFileSync(outside, "utf8")).toBe("canary");
});

test("scopes that cannot be read make nothing public, and are reported", async () => {
  using room = memoryRoom();
  await room.call("context_add_knowledge", { key: "open", content: "canary" });
  await room.call("context_add_convention", { key: "rule", content: "rule" });
  room.write("knowledge/.scope.json", '<<<<<<< HEAD\n{"x": "private"}');
  expect(await room.call("context_get_scope", { entry_type: "knowledge", key: "open" })).toEqual({
    key: "open",
    scope: "private",
    warnings: ["knowledge/.scope.json is not valid JSON"],
  });
  expect(await room.call("context_get", { dotpath: "knowledge.open" })).toBe("canary");
  expect((await room.room.publicEntries()).map(({ key }) => key)).toEqual(["rule"]);
  expect(await room.room.instructions?.()).not.toContain("open");
  expect(
    await room.call("context_set_scope", { entry_type: "knowledge", key: "open", scope: "private" }),
  ).toMatchObject({
    status: "error",
    error: expect.stringContaining("knowledge/.scope.json"),
  });
  for (const key of ["open", "new"]) {
    expect(await room.call("context_add_knowledge", { key, content: "new" })).toMatchObject({
      status: "error",
      error: expect.stringContaining("knowledge/.scope.json"),
    });
  }
  room.write("knowledge/.scope.json", '{"open.md": "secret!"}');
  expect(await room.call("context_add_knowledge", { key: "open", content: "new" })).toMatchObject({
    scope: "private",
    warnings: ["knowledge/.scope.json gives open.md an unknown scope"],
  });
  expect(await room.call("context_get_scope", { entry_type: "knowledge", key: "open" })).toMatchObject({
    scope: "private",
  });
  room.write(".local/scope.json", "[]");
  expect(await room.room.publicEntries()).toEqual([]);
});

test("authors that cannot be read are not overwritten, and the entry is still written", async () => {
  using room = memoryRoom();
  room.write("knowledge/.meta.json", "{ torn");
  expect(await room.call("context_add_knowledge", { key: "k", content: "x" })).toMatchObject({
    status: "ok",
    warnings: ["knowledge/.meta.json is not valid JSON"],
  });
  expect(room.read("knowledge/.meta.json")).toBe("{ torn");
  expect(await room.call("context_get", { dotpath: "about.knowledge.k" })).toMatchObject({
    author: "mcp:test",
  });
});

test("damaged state is read as empty, and moved aside when it is replaced", async () => {
  using room = memoryRoom();
  room.write("state/active.json", "{ torn");
  expect(await room.call("context_get", { dotpath: "state.current_task" })).toBe("");
  await room.call("context_update_state", { current_task: "t" });
  expect(room.read(".local/damaged/state-active.json")).toBe("{ torn");
});

test("an invalid or malicious head gives a skill without a description", async () => {
  using room = memoryRoom();
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, i) => `${"bcdefghij"[i]}: &${"bcdefghij"[i]} [${`*${"abcdefghi"[i]},`.repeat(9)}]`).join("\n")}`;
  room.write("skills/bomb/SKILL.md", `---\n${bomb}\n---\nbody`);
  room.write("skills/tag/SKILL.md", "---\nname: !!js/function 'x'\n---\nbody");
  room.write("skills/deep/SKILL.md", `---\n${"[".repeat(5000)}\n---\n`);
  room.write("skills/none/SKILL.md", "no head at all");
  room.write("skills/evil/SKILL.md", "---\nname: ../../../../tmp/p\ndescription: d\n---\n");
  expect(await room.call("memory_skill_list")).toMatchObject([
    { name: "bomb", description: "" },
    { name: "deep", description: "" },
    { name: "evil", description: "d", mismatch: true },
    { name: "none", description: "" },
    { name: "tag", description: "" },
  ]);
  const proposed = {
    skill_name: "bomb",
    proposed_content: `---\nname: bomb\ndescription: d\nx: &a 1\n---\nb`,
  };
  expect(await room.call("context_propose_skill_improvement", proposed)).toMatchObject({ status: "error" });
});

test.each(["\u2028", "\u2029", "\r"])(
  "a head that other readers see to be longer cannot hide keys behind %j",
  async (lineEnd) => {
    using room = memoryRoom();
    await room.call("context_add_skill", { name: "s", description: "d", instructions: "i" });
    const proposed_content = `---\nname: s\ndescription: d${lineEnd}---\nhooks: x\n---\n\nbody\n`;
    expect(
      await room.call("context_propose_skill_improvement", { skill_name: "s", proposed_content }),
    ).toMatchObject({ status: "error", error: expect.stringContaining("The frontmatter") });
  },
);

test("incomplete lines and foreign files among a skill's sidecars are ignored", async () => {
  using room = memoryRoom();
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "i" });
  room.write(
    "skills/s/.feedback.ndjson",
    '{"id":"1","rating":2}\n{"id":"2","rati\nnull\n{"id":"3","rating":9}\n{"id":"4","rating":3}',
  );
  room.write("skills/s/.proposals/not-a-uuid.json", "{}");
  room.write("skills/s/.proposals/00000000-0000-4000-8000-000000000000.json", '{"id":"../../../x"}');
  expect(await room.call("memory_skill_stats")).toMatchObject([
    { rating_count: 2, avg_rating: 2.5, needs_attention: true },
  ]);
  expect(await room.call("context_list_skill_proposals")).toEqual([]);
  await room.call("context_rate_skill", { skill_name: "s", rating: 5 });
  expect(await room.call("memory_skill_stats")).toMatchObject([{ rating_count: 3, needs_attention: false }]);
});

test("a line that ends within a character affects no other line of a log, and is moved aside", async () => {
  using room = memoryRoom();
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "i" });
  const torn = (line: string) =>
    Buffer.concat([Buffer.from(`${line}\n{"id":"torn","x":"caf`), Buffer.from([0xc3])]);
  room.write("history/sessions.ndjson", torn('{"id":"old","summary":"café"}'));
  room.write("skills/s/.feedback.ndjson", torn('{"id":"1","rating":2}'));
  expect(await room.call("context_get", { dotpath: "history" })).toMatchObject([{ summary: "café" }]);
  await room.call("context_append_session", { summary: "new" });
  await room.call("context_rate_skill", { skill_name: "s", rating: 5 });
  expect(await room.call("context_get", { dotpath: "history" })).toMatchObject([
    { summary: "café" },
    { summary: "new" },
  ]);
  expect(await room.call("memory_skill_stats")).toMatchObject([{ rating_count: 2 }]);
  expect(room.read("history/sessions.ndjson")).not.toContain("torn");
  expect(room.read(".local/damaged/history-sessions.ndjson")).toContain('{"id":"torn"');
});

test("what is written is what is read, for any text", async () => {
  using room = memoryRoom();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (content) => {
      const answer = await room.call("context_add_knowledge", { key: "any", content });
      const isStored = typeof answer === "object" && answer !== null && "key" in answer;
      if (isStored) expect(await room.call("context_get", { dotpath: "knowledge.any" })).toBe(content);
      if (isStored) expect(room.read("knowledge/any.md")).toBe(content);
    }),
    { numRuns: 60 },
  );
  rmSync(room.store, { recursive: true });
  expect(existsSync(room.store)).toBe(false);
});

test("no dotpath ever throws or reaches an object's insides", async () => {
  using room = memoryRoom();
  await room.call("context_record_decision", { title: "One" });
  const name = fc.oneof(
    fc.constantFrom(
      "state",
      "decisions",
      "1",
      "manifest",
      "preferences",
      "activity",
      "history",
      "about",
      "skills",
      "__proto__",
      "constructor",
      "toString",
      "length",
      "",
    ),
    fc.string({ maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 6 }), async (names) => {
      const value = await room.call("context_get", { dotpath: names.join(".") });
      expect(() => JSON.stringify(value)).not.toThrow();
      if (names.includes("__proto__") || names.includes("constructor")) expect(value).toHaveProperty("error");
    }),
    { numRuns: 100 },
  );
});
