import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { sha256 } from "../../../core/hash.ts";
import { hasJournal } from "./journal.ts";
import { lockStore } from "./lock-store.ts";
import { commitChanges } from "./transaction.ts";

const STAGED = "0123456789abcdef";

/** A store whose last writer died with this journal and these staged bytes. */
function deadWriter(store: string, staged: string, journal: unknown) {
  mkdirSync(join(store, ".local", "tmp"), { recursive: true });
  writeFileSync(join(store, ".local", "tmp", STAGED), staged);
  writeFileSync(
    join(store, ".local", "journal.json"),
    typeof journal === "string" ? journal : JSON.stringify(journal),
  );
}
const lockAndRelease = async (store: string) => (await lockStore(store, { purpose: "testing" })).release();
const step = (path: string, content: string) => ({ path, staged: STAGED, sha256: sha256(content) });

test("changes are written together and leave nothing behind", async () => {
  using dir = tempDir();
  const lock = await lockStore(dir.path, { purpose: "testing" });
  await commitChanges(dir.path, [
    { path: "knowledge/a.md", content: "one" },
    { path: "knowledge/.meta.json", content: "{}\n" },
  ]);
  await commitChanges(dir.path, [{ path: "knowledge/a.md", content: undefined }]);
  lock.release();
  expect(existsSync(join(dir.path, "knowledge/a.md"))).toBe(false);
  expect(readFileSync(join(dir.path, "knowledge/.meta.json"), "utf8")).toBe("{}\n");
  expect(existsSync(join(dir.path, ".local/tmp"))).toBe(false);
  expect(hasJournal(dir.path)).toBe(false);
});

test("what a dead writer had wholly prepared is finished", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "knowledge"));
  writeFileSync(join(dir.path, "knowledge", "old.md"), "old");
  deadWriter(dir.path, "new", {
    steps: [
      step("knowledge/a.md", "new"),
      { path: "knowledge/old.md", removed: true, sha256: sha256("old") },
    ],
  });
  await lockAndRelease(dir.path);
  expect(readFileSync(join(dir.path, "knowledge/a.md"), "utf8")).toBe("new");
  expect(existsSync(join(dir.path, "knowledge/old.md"))).toBe(false);
  expect(hasJournal(dir.path)).toBe(false);
});

test.each([
  ["a staged file is torn", { steps: [step("knowledge/a.md", "whole")] }],
  ["the journal is torn", '{"steps":[{"path":"know'],
  [
    "the file to remove was written again",
    { steps: [{ path: "knowledge/b.md", removed: true, sha256: sha256("before") }] },
  ],
  ["a path leaves the store", { steps: [step("../outside.md", "tor")] }],
  [
    "a staged name is no name of ours",
    { steps: [{ path: "knowledge/a.md", staged: "../../x", sha256: "" }] },
  ],
])("nothing is done where %s", async (_name, journal) => {
  using dir = tempDir();
  const store = join(dir.path, "store");
  mkdirSync(join(store, "knowledge"), { recursive: true });
  writeFileSync(join(store, "knowledge", "b.md"), "again");
  deadWriter(store, "tor", journal);
  await lockAndRelease(store);
  expect(hasJournal(store)).toBe(false);
  expect(existsSync(join(store, "knowledge/a.md"))).toBe(false);
  expect(existsSync(join(dir.path, "outside.md"))).toBe(false);
  expect(readFileSync(join(store, "knowledge/b.md"), "utf8")).toBe("again");
});

test("nothing is written through a folder that is a link", async () => {
  using dir = tempDir();
  const store = join(dir.path, "store");
  mkdirSync(store);
  mkdirSync(join(dir.path, "elsewhere"));
  symlinkSync(join(dir.path, "elsewhere"), join(store, "knowledge"));
  await expect(commitChanges(store, [{ path: "knowledge/a.md", content: "x" }])).rejects.toThrow("link");
  expect(existsSync(join(dir.path, "elsewhere/a.md"))).toBe(false);
  symlinkSync(join(dir.path, "elsewhere"), join(store, ".local"));
  await expect(lockStore(store, { purpose: "testing" })).rejects.toThrow("link");
  expect(lstatSync(join(store, ".local")).isSymbolicLink()).toBe(true);
});

test("a write that fails after its first step says that it has begun, and the next writer finishes it", async () => {
  using dir = tempDir();
  const blocker = join(dir.path, "knowledge/.meta.json/blocks");
  const lock = await lockStore(dir.path, { purpose: "testing" });
  mkdirSync(blocker, { recursive: true });
  const changes = [
    { path: "knowledge/a.md", content: "new" },
    { path: "knowledge/.meta.json", content: "{}\n" },
  ];
  await expect(commitChanges(dir.path, changes)).rejects.toMatchObject({
    code: "unavailable",
    reason: "unfinished",
    message: expect.stringContaining("the next call finishes it"),
  });
  lock.release();
  expect([readFileSync(join(dir.path, "knowledge/a.md"), "utf8"), hasJournal(dir.path)]).toEqual([
    "new",
    true,
  ]);
  rmSync(join(dir.path, "knowledge/.meta.json"), { recursive: true });
  await lockAndRelease(dir.path);
  expect(readFileSync(join(dir.path, "knowledge/.meta.json"), "utf8")).toBe("{}\n");
  expect(hasJournal(dir.path)).toBe(false);
});

test("if the journal cannot be written, nothing is written, and no file is still being written afterwards", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, ".local", "journal.json", "in the way"), { recursive: true });
  const changes = Array.from({ length: 40 }, (_, at) => ({ path: `knowledge/e${at}.md`, content: "text" }));
  // A write that goes on would fail in the removed directory, as an unhandled rejection.
  await expect(commitChanges(dir.path, changes)).rejects.toThrow();
  expect(existsSync(join(dir.path, "knowledge", "e0.md"))).toBe(false);
});
