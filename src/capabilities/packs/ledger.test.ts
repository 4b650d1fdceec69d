import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { openLedger } from "./ledger.ts";
import type { LedgerEntry } from "./ledger-entry.ts";

const entry = (number: number): LedgerEntry => ({
  pack_id: number.toString(16).padStart(16, "0"),
  request: { task: "t", budget: 500 },
  states: {},
  items: {},
  text_sha256: "",
});

test("two processes that forget the oldest packs at once do not get in each other's way", async () => {
  using directory = tempDir();
  const ledgers = [openLedger(directory.path), openLedger(directory.path)];
  const record = (from: number, to: number) =>
    Promise.all(Array.from({ length: to - from }, (_, at) => ledgers[at % 2]?.record(entry(from + at))));
  for (let from = 0; from < 600; from += 50) await record(from, from + 50);
  expect(readdirSync(directory.path).length).toBeLessThanOrEqual(500);
  expect(await ledgers[0]?.find(entry(599).pack_id)).toEqual(entry(599));
  await expect(ledgers[0]?.find(entry(0).pack_id)).rejects.toThrow("No pack");
});
