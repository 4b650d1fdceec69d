import { expect, test } from "vitest";
import { storeSuite } from "../../../tests/support/store-suite.ts";
import { journalFor } from "./journal.ts";
import { DRIVERS, sqliteDriver } from "./sqlite-driver.ts";
import { asStoreError } from "./store-errors.ts";

for (const [name, load] of Object.entries(DRIVERS)) {
  const driver = load();
  storeSuite(driver ? name : `${name} (skipped: it does not load here)`, driver);
}

test("every supported Node has a driver", () => {
  expect(Object.keys(DRIVERS)).toContain(sqliteDriver().name);
});

test("SQLite as WebAssembly is the last choice and loads on every Node", () => {
  expect(Object.keys(DRIVERS).at(-1)).toBe("node-sqlite3-wasm");
  expect(DRIVERS["node-sqlite3-wasm"]()?.hasWal).toBe(false);
});

test("a network file system gets a journal that works there", () => {
  expect([0xef53, 0x6969, 0xfe534d42].map(journalFor)).toEqual(["WAL", "DELETE", "DELETE"]);
});

test.each([
  ["a full disk", { code: "SQLITE_FULL" }, "disk_full"],
  ["a full disk, built in", { errcode: 13 }, "disk_full"],
  ["a file that may not be written", { code: "SQLITE_READONLY_DIRECTORY" }, "unavailable"],
  ["a damaged file", { errcode: 11 }, "unavailable"],
  ["a failing disk", { code: "SQLITE_IOERR_FSYNC" }, "unavailable"],
  ["a busy file", { errcode: 261 }, "busy"],
])("%s has its own error code", (_case, properties, code) => {
  expect(asStoreError(Object.assign(new Error("x"), properties), "s.db")).toMatchObject({ code });
});

test("a constraint error is returned to the caller unchanged", () => {
  const error = Object.assign(new Error("UNIQUE"), { code: "SQLITE_CONSTRAINT_UNIQUE" });
  expect(asStoreError(error, "s.db")).toBe(error);
});
