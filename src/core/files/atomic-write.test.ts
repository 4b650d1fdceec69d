import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { writeFileAtomic } from "./atomic-write.ts";

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test("a new file gets the given mode, an existing file keeps its own", async () => {
  using dir = tempDir();
  const file = join(dir.path, "new", "file");
  await writeFileAtomic(file, "one", 0o600);
  const first = modeOf(file);
  chmodSync(file, 0o664);
  await writeFileAtomic(file, "two", 0o600);
  expect([first, modeOf(file), readFileSync(file, "utf8"), readdirSync(join(dir.path, "new"))]).toEqual([
    "600",
    "664",
    "two",
    ["file"],
  ]);
});

test("a link at the target is replaced, and its destination is unchanged", async () => {
  using dir = tempDir();
  const real = join(dir.path, "real");
  const link = join(dir.path, "link");
  writeFileSync(real, "old");
  symlinkSync("real", link);
  await writeFileAtomic(link, "new");
  expect([real, link].map((file) => readFileSync(file, "utf8"))).toEqual(["old", "new"]);
  expect(lstatSync(link).isSymbolicLink()).toBe(false);
});

test("a failed write leaves the target unchanged and no temporary file", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "taken", "full"), { recursive: true });
  await expect(writeFileAtomic(join(dir.path, "taken"), "x")).rejects.toThrow();
  expect(readdirSync(dir.path)).toEqual(["taken"]);
});

test("a name of the maximum length can be written", async () => {
  using dir = tempDir();
  const file = join(dir.path, "n".repeat(255));
  await writeFileAtomic(file, "long");
  expect(readFileSync(file, "utf8")).toBe("long");
});
