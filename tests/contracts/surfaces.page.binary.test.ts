import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";

const LARGEST = 120 * 1024;

test("the built page is complete, and at most 120 KB compressed", async () => {
  const folder = join(dirname(await builtBinary()), "web");
  const files = readdirSync(folder).sort();
  expect(files).toEqual(["icon.svg", "index.html", "page.css", "page.js"]);
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  expect(size).toBeLessThan(LARGEST);
  expect(readFileSync(join(folder, "index.html"), "utf8")).not.toMatch(/https?:|<script>|style=/);
});
