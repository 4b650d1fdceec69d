import { expect, test } from "vitest";
import { storeSuite } from "../../../tests/support/store-suite.ts";
import { loadBetterSqlite } from "./better-sqlite.ts";
import { journalFor } from "./journal.ts";
import { loadNodeSqlite } from "./node-sqlite.ts";
import { sqliteDriver } from "./store.ts";
import { asStoreError } from "./store-errors.ts";

const builtIn = await loadNodeSqlite();
const addOn = await loadBetterSqlite();

storeSuite(builtIn ? "node:sqlite" : "node:sqlite (skipped: this Node has none)", builtIn);
storeSuite(addOn ? "better-sqlite3" : "better-sqlite3 (skipped: not installed)", addOn);

test("every supported Node has a driver", async () => {
  expect(["node:sqlite", "better-sqlite3"]).toContain((await sqliteDriver()).name);
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
