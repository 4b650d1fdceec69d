import { z } from "zod";
import type { Connection, Driver } from "./driver.ts";

const SchemaRows = z.array(z.object({ type: z.string(), name: z.string(), sql: z.string().nullable() }));

/**
 * Whether a database has exactly the tables that these migrations make. A file from elsewhere may have triggers, views or
 * computed columns instead, which our own statements would run.
 */
export function hasSchema(found: Connection, migrations: readonly string[], driver: Driver): boolean {
  const expected = driver.open(":memory:", { readOnly: false });
  try {
    for (const sql of migrations) expected.exec(sql);
    return schemaOf(found) === schemaOf(expected);
  } finally {
    expected.close();
  }
}

const schemaOf = (connection: Connection): string =>
  JSON.stringify(
    SchemaRows.parse(
      connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all(),
    ),
  );
