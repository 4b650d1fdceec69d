import type { Connection, Driver, Statement } from "./driver.ts";

/** The SQLite inside Node, from 22.13 on. Its one-time "experimental" warning is kept from the user's stderr. */
export async function loadNodeSqlite(): Promise<Driver | undefined> {
  const sqlite = await importQuietly();
  if (sqlite === undefined) return undefined;
  return {
    name: "node:sqlite",
    open(file, { readOnly }): Connection {
      const database = new sqlite.DatabaseSync(file, { readOnly });
      const statements = new Map<string, Statement>();
      return {
        exec: (sql) => database.exec(sql),
        prepare(sql) {
          const known = statements.get(sql);
          if (known) return known;
          const raw = database.prepare(sql);
          const made: Statement = {
            run: (...values) => {
              const { changes, lastInsertRowid } = raw.run(...values);
              return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
            },
            get: (...values) => raw.get(...values),
            all: (...values) => raw.all(...values),
            iterate: (...values) => raw.iterate(...values),
          };
          statements.set(sql, made);
          return made;
        },
        close() {
          statements.clear();
          database.close();
        },
      };
    },
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
