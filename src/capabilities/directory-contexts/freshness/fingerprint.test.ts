import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { fingerprintOf, listDirectory } from "./fingerprint.ts";

const Cases = z.array(
  z.object({
    name: z.string(),
    files: z.array(z.object({ name: z.string(), mtime_ms: z.number(), size: z.int() })),
    fingerprint: z.string(),
  }),
);
const cases = Cases.parse(
  JSON.parse(readFileSync("tests/contracts/golden/directory-contexts/extra/fingerprint_cases.json", "utf8")),
);

test.each(cases)("$name", ({ files, fingerprint }) => {
  expect(fingerprintOf(files.map(({ mtime_ms, ...file }) => ({ ...file, mtimeMs: mtime_ms })))).toBe(
    fingerprint,
  );
});

test("links, directories and the context itself are not files of a directory; every other file is", () => {
  using dir = tempDir();
  const at = (name: string) => join(dir.path, name);
  symlinkSync("/etc/hostname", at("link"));
  mkdirSync(at("child"));
  writeFileSync(at(".context.yaml"), "x");
  expect(fingerprintOf(listDirectory(dir.path)?.files ?? [])).toBe("e3b0c442");
  writeFileSync(at("a.ts"), "twelve bytes");
  utimesSync(at("a.ts"), 1_700_000_000, 1_700_000_000);
  expect(fingerprintOf(listDirectory(dir.path)?.files ?? [])).toBe("4d0f2ecf");
  writeFileSync(at(".DS_Store"), "");
  expect(listDirectory(dir.path)?.files.map(({ name }) => name)).toEqual([".DS_Store", "a.ts"]);
});

test("a directory that does not exist cannot be listed", () => {
  expect(listDirectory("/nonexistent/path")).toBeUndefined();
});
