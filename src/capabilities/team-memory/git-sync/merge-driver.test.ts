import { chmodSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Clone, makeTeam } from "../../../../tests/support/git-team.ts";
import { mergeStores } from "../merge/store-merge.ts";
import { installMergeDriver, runMergeDriver } from "./merge-driver.ts";

const FILE = ".context-teleport/knowledge/k.md";

/** A repository whose two branches edit one entry differently. */
function divergent(clone: Clone, { base, ours, theirs }: { base: string; ours: string; theirs: string }) {
  clone.write(FILE, base);
  clone.git("add", ".");
  clone.git("commit", "-qm", "base");
  clone.git("checkout", "-qb", "side");
  clone.write(FILE, theirs);
  clone.git("commit", "-qam", "theirs");
  clone.git("checkout", "-q", "main");
  clone.write(FILE, ours);
  clone.git("commit", "-qam", "ours");
}

test("git calls the installed driver, which merges as a pull does", async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const versions = { base: "## A\na\n## B\nb", ours: "## A\na1\n## B\nb", theirs: "## A\na\n## B\nb2" };
  divergent(clone, versions);
  // Stands for the binary: writes down how git called it, then fails, so that git reports a conflict.
  const log = join(team.home, "..", "called");
  const program = join(team.home, "..", "program");
  clone.write("../program", `#!/bin/sh\nprintf '%s\\n' "$@" > '${log}'\nexit 1\n`);
  chmodSync(program, 0o755);
  await installMergeDriver({ root: clone.path, directory: join(clone.path, ".context-teleport") }, [program]);
  await installMergeDriver({ root: clone.path, directory: join(clone.path, ".context-teleport") }, [program]);
  expect(() => clone.git("merge", "-q", "side")).toThrow();
  const [, verb, , , , path] = (clone.read("../called") ?? "").split("\n");
  expect([verb, path]).toEqual(["merge-driver", FILE]);
  expect(clone.read(".git/info/attributes")?.match(/merge=contextful/g)).toHaveLength(1);
});

test.each([
  [
    "the same section",
    FILE,
    { base: "## A\na\n## B\nb\n", ours: "## A\nmine\n## B\nb\n", theirs: "## A\nhers\n## B\nb2\n" },
    "## A\n<<<<<<< ours\nmine\n=======\nhers\n>>>>>>> theirs\n## B\nb2\n",
  ],
  [
    "a section deleted on one side",
    FILE,
    { base: "## A\na\n## B\nb\n", ours: "## B\nb\n", theirs: "## A\na2\n## B\nb\n" },
    "<<<<<<< ours\n=======\n## A\na2\n>>>>>>> theirs\n## B\nb\n",
  ],
  [
    "a file made twice",
    FILE,
    { base: "", ours: "## A\na\n", theirs: "## B\nb" },
    "<<<<<<< ours\n## A\na\n=======\n## B\nb\n>>>>>>> theirs\n",
  ],
  [
    "a preference",
    ".context-teleport/preferences/team.json",
    { base: "{}", ours: '{"values":{"tabs":1}}', theirs: '{"values":{"tabs":2}}' },
    '<<<<<<< ours\n{"values":{"tabs":1}}\n=======\n{"values":{"tabs":2}}\n>>>>>>> theirs\n',
  ],
])(
  "lines that both sides changed are left between git's markers: %s",
  async (_name, path, texts, expected) => {
    using team = makeTeam(1);
    const [clone] = team.clones;
    if (!clone) throw new Error("one clone");
    const at = (name: string) => join(clone.path, name);
    for (const [name, text] of Object.entries(texts)) clone.write(name, text);
    expect(await runMergeDriver({ base: at("base"), ours: at("ours"), theirs: at("theirs"), path })).toBe(
      false,
    );
    expect(clone.read("ours")).toBe(expected);
  },
);

test("for any three texts the driver writes the same bytes and reports the same conflicts as a pull", async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const at = (name: string) => join(clone.path, name);
  const line = fc.constantFrom("## A\n", "## B\n", "one\n", "two\n", "```\n", "\n", "end", "three\r\n");
  const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join(""));
  await fc.assert(
    fc.asyncProperty(text, text, text, async (base, ours, theirs) => {
      clone.write("o", base);
      clone.write("a", ours);
      clone.write("b", theirs);
      const isMerged = await runMergeDriver({ base: at("o"), ours: at("a"), theirs: at("b"), path: FILE });
      const texts = new Map([base, ours, theirs].map((one) => [one, Buffer.from(one)]));
      const of = (id: string) => new Map([["knowledge/k.md", id]]);
      const pulled = await mergeStores(
        { base: of(base), ours: of(ours), theirs: of(theirs) },
        "ours",
        async () => texts,
      );
      const content = pulled.files.get("knowledge/k.md");
      expect(isMerged).toBe(pulled.conflicts.length === 0);
      if (isMerged) expect(clone.read("a")).toBe(content && ("id" in content ? content.id : content.text));
    }),
    { numRuns: 50 },
  );
});
