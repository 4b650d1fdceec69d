import { readFileSync } from "node:fs";
import { asConnection } from "./connection.ts";
import type { Driver } from "./driver.ts";

/** The native add-on, for Node before 22.13. */
export async function loadBetterSqlite(): Promise<Driver | undefined> {
  const Database = await import("better-sqlite3").then(
    (module) => module.default,
    () => undefined,
  );
  if (Database === undefined || !works(() => new Database(":memory:").close())) return undefined;
  return {
    name: "better-sqlite3",
    open: (file, { readOnly }) => asConnection(new Database(file, { readonly: readOnly })),
    openImmutable: (file) => asConnection(new Database(withoutWal(readFileSync(file)))),
  };
}

/** The add-on takes no URI, so the file is read into memory. The header must not say WAL there: bytes 18 and 19. */
function withoutWal(bytes: Buffer): Buffer {
  return bytes.length < 20 ? bytes : bytes.fill(1, 18, 20);
}

/** The package may be installed with a binary for another Node: only using it shows that. */
function works(use: () => unknown): boolean {
  try {
    use();
    return true;
  } catch {
    return false;
  }
}
