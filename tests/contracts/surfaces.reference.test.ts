import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reference } from "../../scripts/reference.ts";

test("docs/reference.md says what the tools are now (npm run docs)", () => {
  expect(readFileSync("docs/reference.md", "utf8")).toBe(reference());
});
