import { chmodSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Clone, makeTeam } from "../../../../tests/support/git-team.ts";
import { mergeFile } from "../merge/file-merge.ts";
import { mergeStores } from "../merge/store-merge.ts";
import { driveMerge, installMergeDriver } from "./merge-driver.ts";

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

test("git calls the installed driver, and the merge is the one a pull would make", async () => {
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
  ["different sections", "## A\na\n## B\nb\n", "## A\na1\n## B\nb\n", "## A\na\n## B\nb2\n"],
  ["the same section", "## A\na\n", "## A\nmine\n", "## A\nhers\n"],
])("the driver writes the same bytes as a pull: %s", async (_name, base, ours, theirs) => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const expected = mergeFile(FILE, { base, ours, theirs }, "ours");
  clone.write("o", base);
  clone.write("a", ours);
  clone.write("b", theirs);
  const at = (name: string) => join(clone.path, name);
  expect(await driveMerge({ base: at("o"), ours: at("a"), theirs: at("b"), path: FILE })).toBe(
    expected.conflict === undefined,
  );
  expect(clone.read("a")).toBe(expected.text);
});

test("for any three texts the driver leaves the bytes a pull would, and tells the same conflicts", async () => {
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
      const isMerged = await driveMerge({ base: at("o"), ours: at("a"), theirs: at("b"), path: FILE });
      const texts = new Map([base, ours, theirs].map((one) => [one, Buffer.from(one)]));
      const of = (id: string) => new Map([["knowledge/k.md", id]]);
      const pulled = await mergeStores(
        { base: of(base), ours: of(ours), theirs: of(theirs) },
        "ours",
        async () => texts,
      );
      const content = pulled.files.get("knowledge/k.md");
      expect([clone.read("a"), isMerged]).toEqual([
        content && ("id" in content ? content.id : content.text),
        pulled.conflicts.length === 0,
      ]);
    }),
    { numRuns: 50 },
  );
});
