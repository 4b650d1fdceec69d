import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { openPackHistory, type PackRecord } from "./pack-history.ts";

const packRecord = (number: number): PackRecord => ({
  pack_id: number.toString(16).padStart(16, "0"),
  request: { task: "t", budget: 500 },
  states: {},
  items: {},
  text_sha256: "",
});

test("two processes can remove the oldest packs at the same time", async () => {
  using directory = tempDir();
  const histories = [openPackHistory(directory.path), openPackHistory(directory.path)];
  const addAll = (from: number, to: number) =>
    Promise.all(Array.from({ length: to - from }, (_, at) => histories[at % 2]?.add(packRecord(from + at))));
  for (let from = 0; from < 600; from += 50) await addAll(from, from + 50);
  expect(readdirSync(directory.path).length).toBeLessThanOrEqual(500);
  expect(await histories[0]?.find(packRecord(599).pack_id)).toEqual(packRecord(599));
  await expect(histories[0]?.find(packRecord(0).pack_id)).rejects.toThrow("No pack");
});

test.skipIf(process.platform === "win32")(
  "a record that is a pipe, a directory or no record is unknown",
  async () => {
    using directory = tempDir();
    const history = openPackHistory(directory.path);
    const [pipe, folder, list] = [packRecord(1).pack_id, packRecord(2).pack_id, packRecord(3).pack_id];
    execFileSync("mkfifo", [join(directory.path, `${pipe}.json`)]);
    mkdirSync(join(directory.path, `${folder}.json`));
    writeFileSync(join(directory.path, `${list}.json`), "[]");
    for (const id of [pipe, folder, list]) await expect(history.find(id)).rejects.toThrow(`No pack ${id}`);
  },
);
