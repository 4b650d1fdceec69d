import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../core/store/store.ts";
import { packContent, readLines, removeContent, splitLines, writeContent } from "./stored-contents.ts";
import { codeMigrations } from "./tables.ts";

async function scratchStore() {
  const directory = mkdtempSync(join(tmpdir(), "contextful-contents-"));
  const store = await openStore({ file: join(directory, "code.sqlite"), migrations: codeMigrations });
  onTestFinished(() => {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return store;
}

test("any range of lines of any file is read back, across any blocks", async () => {
  const store = await scratchStore();
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.replaceAll("\n", "")),
    fc.nat(9).map((number) => "long ".repeat(number * 1_000)),
  );
  const text = fc.tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom("\n", "\r\n"), fc.boolean());
  let id = 0;
  fc.assert(
    fc.property(text, fc.nat(45), fc.nat(45), ([lines, ending, isEnded], a, b) => {
      const bytes = Buffer.from(lines.join(ending) + (isEnded ? ending : ""));
      const file = { id: ++id, hash: String(id) };
      writeContent(store, file.id, packContent(bytes));
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const expected = splitLines(bytes.toString("utf8")).slice(Math.max(0, from - 1), to);
      expect(readLines(store, file, from, to)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("a removed file is gone, and other files stay", async () => {
  const store = await scratchStore();
  const bytes = Buffer.from("a line of some length\n".repeat(3_000));
  for (const id of [1, 2, 3]) writeContent(store, id, packContent(bytes));
  removeContent(store, 2);
  const lines = [1, 2, 3].map((id) => readLines(store, { id, hash: `removed ${id}` }, 2_999, 3_001));
  expect(lines.map(({ length }) => length)).toEqual([2, 0, 2]);
});

test("a block that inflates to more than any indexed text is refused", async () => {
  const store = await scratchStore();
  const packed = deflateRawSync(Buffer.alloc(65 * 1024 ** 2));
  writeContent(store, 1, [{ firstLine: 1, packed, trigrams: new Uint8Array(8) }]);
  expect(() => readLines(store, { id: 1, hash: "bomb" }, 1, 1)).toThrow(/larger than/);
});
