import { pathToFileURL } from "node:url";
import { asConnection } from "./connection.ts";
import type { Driver } from "./driver.ts";

/** The SQLite built into Node 22.13 and newer. Its "experimental" warning is not shown to the user. */
export async function loadNodeSqlite(): Promise<Driver | undefined> {
  const sqlite = await importQuietly();
  if (sqlite === undefined) return undefined;
  return {
    name: "node:sqlite",
    open: (file, { readOnly }) => asConnection(new sqlite.DatabaseSync(file, { readOnly })),
    openImmutable: (file) =>
      asConnection(new sqlite.DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true })),
  };
}

async function importQuietly(): Promise<typeof import("node:sqlite") | undefined> {
  const emit = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return await import("node:sqlite");
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emit;
  }
}
