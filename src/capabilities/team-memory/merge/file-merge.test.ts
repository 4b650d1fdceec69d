import { describe, expect, test } from "vitest";
import { mergeFile } from "./file-merge.ts";
import { renumberDecisions, renumberText } from "./renumber.ts";

describe("merging one file by what it is", () => {
  test("appended records are united by their ids, in the order of their time", () => {
    const line = (id: string, timestamp: string) => `${JSON.stringify({ id, timestamp })}\n`;
    const base = line("1", "2026-01-01");
    const ours = base + line("3", "2026-01-03");
    const theirs = base + line("2", "2026-01-02");
    const expected = { text: base + line("2", "2026-01-02") + line("3", "2026-01-03") };
    expect(mergeFile("skills/x/.feedback.ndjson", { base, ours, theirs }, "ours")).toEqual(expected);
    expect(mergeFile("skills/x/.feedback.ndjson", { base, ours: theirs, theirs: ours }, "ours")).toEqual(
      expected,
    );
  });

  test("a torn record is kept as it is", () => {
    const merged = mergeFile(
      "history/sessions.ndjson",
      { base: "", ours: '{"id":"1"}\n{"to', theirs: '{"id":"2"}\n' },
      "ours",
    );
    expect(merged.text?.split("\n").sort()).toEqual(["", '{"id":"1"}', '{"id":"2"}', '{"to']);
  });

  test("bookkeeping of different entries merges by key, of one entry by the later record", () => {
    const print = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
    const ours = print({ "a.md": { author: "x", updated_at: "2026-01-02" }, "o.md": { author: "o" } });
    const theirs = print({ "a.md": { author: "y", updated_at: "2026-01-03" }, "t.md": { author: "t" } });
    expect(mergeFile("knowledge/.meta.json", { base: print({}), ours, theirs }, "ours")).toEqual({
      text: print({
        "a.md": { author: "y", updated_at: "2026-01-03" },
        "o.md": { author: "o" },
        "t.md": { author: "t" },
      }),
    });
  });

  test("a preference of the team that both set is theirs to settle", () => {
    const versions = { base: "{}", ours: '{"values":{"tabs":1}}', theirs: '{"values":{"tabs":2}}' };
    expect(mergeFile("preferences/team.json", versions, "theirs")).toEqual({
      text: '{"values":{"tabs":2}}',
      conflict: { kind: "content", details: ["values.tabs: set differently"] },
    });
  });

  test.each([
    ["ours", undefined],
    ["theirs", "new\n"],
  ] as const)("deleted here, changed there: %s decides, and no empty file is left", (preference, text) => {
    expect(
      mergeFile("knowledge/k.md", { base: "old\n", ours: undefined, theirs: "new\n" }, preference),
    ).toEqual({
      text,
      conflict: { kind: "modify/delete", details: ["deleted by ours, changed by theirs"] },
    });
  });

  test("two files made apart under one name are a conflict even where their lines fit", () => {
    const versions = { base: undefined, ours: "## A\na\n", theirs: "## B\nb\n" };
    expect(mergeFile("knowledge/k.md", versions, "ours")).toEqual({
      text: "## A\na\n## B\nb\n",
      conflict: { kind: "add/add", details: ["added by both sides with different text"] },
    });
  });
});

test("a decision number that both clones took moves on our side, in its name and in its text", () => {
  const ours = ["knowledge/decisions/0002-b.md", "knowledge/decisions/0003-c.md"];
  const theirs = ["knowledge/decisions/0001-a.md", "knowledge/decisions/0002-x.md"];
  expect(renumberDecisions(ours, theirs)).toEqual([{ from: ours[0], to: "knowledge/decisions/0004-b.md" }]);
});

test.each([
  ["# 0002 - B\n", "# 0004 - B\n"],
  ["# 2. B\n", "# 0004. B\n"],
  ["# 2024 in numbers\n", "# 2024 in numbers\n"],
  ["# B\n\n```sh\n# 2 first\n```\n", "# B\n\n```sh\n# 2 first\n```\n"],
])("a decision that moves takes its number along in its heading, and there alone: %j", (text, expected) => {
  const move = { from: "knowledge/decisions/0002-b.md", to: "knowledge/decisions/0004-b.md" };
  expect(renumberText(text, move)).toBe(expected);
});
