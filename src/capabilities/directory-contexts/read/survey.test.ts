import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { type ContextReader, surveyProject } from "./survey.ts";

test("a survey that is stopped reads no further", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, ".context.config.yaml"), "min_tokens: 0\n");
  for (let place = 0; place < 100; place += 1) {
    mkdirSync(join(dir.path, `d${place}`));
    writeFileSync(join(dir.path, `d${place}`, "a.ts"), "");
    writeFileSync(join(dir.path, `d${place}`, ".context.yaml"), "");
  }
  const stop = new AbortController();
  let read = 0;
  const file: ContextReader["file"] = () => {
    read += 1;
    stop.abort();
    return { kind: "missing" };
  };
  await expect(surveyProject(dir.path, { file, of: file }, stop.signal)).rejects.toThrow("aborted");
  expect(read).toBeLessThan(100);
});
