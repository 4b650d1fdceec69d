import type { Connection, Driver, Statement } from "./driver.ts";

/** The native add-on, for Node before 22.13. */
export async function loadBetterSqlite(): Promise<Driver | undefined> {
  const Database = await import("better-sqlite3").then(
    (module) => module.default,
    () => undefined,
  );
  if (Database === undefined) return undefined;
  return {
    name: "better-sqlite3",
    open(file, { readOnly }): Connection {
      const database = new Database(file, { readonly: readOnly });
      const statements = new Map<string, Statement>();
      return {
        exec: (sql) => void database.exec(sql),
        prepare(sql) {
          const known = statements.get(sql);
          if (known) return known;
          const raw = database.prepare(sql);
          const made: Statement = {
            run: (...values) => {
              const { changes, lastInsertRowid } = raw.run(...values);
              return { changes, lastInsertRowid: Number(lastInsertRowid) };
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
