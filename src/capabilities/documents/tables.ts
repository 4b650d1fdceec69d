import { z } from "zod";
import { searchMigrations } from "../../core/search/segments/tables.ts";

/** The name of the search index in this store. */
export const INDEX_NAME = "documents";

/** `items` records what each source listed. It is separate from the bodies, so that a re-sync reads only this table. */
export const MIGRATIONS: readonly string[] = [
  ...searchMigrations(INDEX_NAME),
  `
  CREATE TABLE items (
    source TEXT NOT NULL,
    source_id TEXT NOT NULL,
    stamp TEXT NOT NULL,
    hash TEXT,
    skipped TEXT,
    PRIMARY KEY (source, source_id)
  ) WITHOUT ROWID;
  CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    source_id TEXT NOT NULL,
    source_url TEXT,
    title TEXT,
    author TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    metadata TEXT NOT NULL,
    chunking TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (source, source_id)
  );
  CREATE INDEX documents_by_chunking ON documents (chunking);
  CREATE TABLE chunks (
    document_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document_id, position)
  ) WITHOUT ROWID;
  CREATE TABLE sources (
    source TEXT PRIMARY KEY,
    last_sync INTEGER NOT NULL,
    last_complete INTEGER,
    last_error TEXT
  ) WITHOUT ROWID;
  `,
  // A source that was never reached has no time of a last sync.
  `
  ALTER TABLE sources RENAME TO sources_before;
  CREATE TABLE sources (
    source TEXT PRIMARY KEY,
    last_sync INTEGER,
    last_complete INTEGER,
    last_error TEXT
  ) WITHOUT ROWID;
  INSERT INTO sources SELECT source, last_sync, last_complete, last_error FROM sources_before;
  DROP TABLE sources_before;
  `,
];

/** The kind of a published database: only programs with the same tables read each other's. */
export const DOCUMENTS_KIND = `documents-${MIGRATIONS.length}`;

export const DocumentRow = z.object({
  id: z.string(),
  source: z.string(),
  source_id: z.string(),
  source_url: z.string().nullable(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
  content_type: z.string(),
  metadata: z.string(),
  chunking: z.string(),
  body: z.string(),
});
export type DocumentRow = z.output<typeof DocumentRow>;

export const SourceRow = z.object({
  source: z.string(),
  last_sync: z.number().nullable(),
  last_complete: z.number().nullable(),
  last_error: z.string().nullable(),
});
export type SourceRow = z.output<typeof SourceRow>;
