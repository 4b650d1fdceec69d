import { pathToFileURL } from "node:url";
import { asConnection } from "./connection.ts";
import type { Driver } from "./driver.ts";

/** The SQLite inside Node, from 22.13 on. */
export function nodeSqlite(): Driver | undefined {
  const sqlite = loadQuietly();
  if (sqlite === undefined) return undefined;
  return {
    name: "node:sqlite",
    hasWal: true,
    open: (file, { readOnly }) => asConnection(new sqlite.DatabaseSync(file, { readOnly })),
    openImmutable: (file) =>
      asConnection(new sqlite.DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true })),
  };
}

/** Node warns once that the module is experimental; the user's stderr is not the place for it. */
function loadQuietly(): typeof import("node:sqlite") | undefined {
  const emit = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emit;
  }
}
