import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { compileGlob } from "../../../core/scan/glob.ts";
import { dddPatterns } from "./ddd.ts";

const GOLDEN = join(import.meta.dirname, "../../../../tests/contracts/golden/code-index");
const read = (name: string): unknown => JSON.parse(readFileSync(join(GOLDEN, name), "utf8"));
const Names = z.object({
  cases: z.array(z.object({ name: z.string(), patterns: z.array(z.string()) })),
  never: z.array(z.object({ name: z.string(), kind: z.string() })),
});
const Globs = z.object({
  cases: z.array(z.object({ pattern: z.string(), path: z.string(), conventional_glob: z.boolean() })),
});

const { cases, never } = Names.parse(read("ddd_cases.json"));

test.each(cases)("a type named $name has the patterns $patterns", ({ name, patterns }) => {
  for (const kind of ["struct", "interface", "type"]) expect(dddPatterns(name, kind)).toEqual(patterns);
});

test.each(never)("a $kind named $name has no pattern", ({ name, kind }) => {
  expect(dddPatterns(name, kind)).toEqual([]);
});

test.each(Globs.parse(read("file_pattern.json")).cases)(
  "the glob $pattern matches $path: $conventional_glob",
  ({ pattern, path, conventional_glob }) => {
    expect(compileGlob(pattern)(path)).toBe(conventional_glob);
  },
);
