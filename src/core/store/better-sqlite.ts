import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { asConnection } from "./connection.ts";
import type { Driver } from "./driver.ts";

type BetterSqlite = typeof import("better-sqlite3");

/** The native add-on, if the user has installed it. */
export function betterSqlite(): Driver | undefined {
  const Database = load();
  if (Database === undefined) return undefined;
  return {
    name: "better-sqlite3",
    hasWal: true,
    open: (file, { readOnly }) => asConnection(new Database(file, { readonly: readOnly })),
    openImmutable: (file) => asConnection(new Database(withoutWal(readFileSync(file)))),
  };
}

/** The add-on takes no URI, so the file is read into memory. The header must not say WAL there: bytes 18 and 19. */
function withoutWal(bytes: Buffer): Buffer {
  return bytes.length < 20 ? bytes : bytes.fill(1, 18, 20);
}

/** The package may be there with a binary for another Node: only its first use shows that. */
function load(): BetterSqlite | undefined {
  try {
    const Database: BetterSqlite = createRequire(import.meta.url)("better-sqlite3");
    new Database(":memory:").close();
    return Database;
  } catch {
    return undefined;
  }
}
