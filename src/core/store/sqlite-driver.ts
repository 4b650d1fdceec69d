import { join } from "node:path";
import { DomainError } from "../errors.ts";
import { betterSqlite } from "./better-sqlite.ts";
import type { Driver } from "./driver.ts";
import { nodeSqlite } from "./node-sqlite.ts";
import { wasmSqlite } from "./wasm-sqlite.ts";

/** In the order of preference. */
export const DRIVERS: Readonly<Record<Driver["name"], () => Driver | undefined>> = {
  "node:sqlite": nodeSqlite,
  "better-sqlite3": betterSqlite,
  "node-sqlite3-wasm": wasmSqlite,
};

let chosen: Driver | undefined;

/** The first driver that loads here. CONTEXTFUL_SQLITE names another one. */
export function sqliteDriver(): Driver {
  chosen ??= choose(process.env["CONTEXTFUL_SQLITE"]);
  return chosen;
}

/**
 * The directory under `home` for databases. Native SQLite and WebAssembly lock files in different ways, so a program on
 * Node 20 and one on Node 22 must not open the same file.
 */
export const databaseDirectory = (home: string): string =>
  sqliteDriver().hasWal ? home : join(home, "wasm");

function choose(wanted: string | undefined): Driver {
  const candidates = Object.entries(DRIVERS).filter(([name]) => !wanted || name === wanted);
  for (const [, load] of candidates) {
    const driver = load();
    if (driver) return driver;
  }
  throw new DomainError(
    "unavailable",
    wanted
      ? `CONTEXTFUL_SQLITE=${wanted} does not load here. Use one of ${Object.keys(DRIVERS).join(", ")}, or unset it.`
      : "No SQLite works here. Use Node 22.13 or newer, or run npm install better-sqlite3.",
  );
}
