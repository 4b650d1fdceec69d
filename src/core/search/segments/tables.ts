import { DomainError } from "../../errors.ts";

/** The tables of one index, for the room to put among its own migrations. Never edited once released, only added to. */
export function searchMigrations(name: string): readonly string[] {
  const table = tablesOf(name);
  return [
    `
    CREATE TABLE ${table.state} (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE ${table.segments} (
      segment INTEGER PRIMARY KEY,
      chunks INTEGER NOT NULL,
      live INTEGER NOT NULL,
      documents INTEGER NOT NULL,
      buckets INTEGER NOT NULL,
      dead BLOB
    );
    CREATE TABLE ${table.parts} (
      segment INTEGER NOT NULL,
      name TEXT NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (segment, name)
    );
    CREATE TABLE ${table.postings} (bucket INTEGER PRIMARY KEY, content BLOB NOT NULL);
    CREATE TABLE ${table.documents} (
      id TEXT PRIMARY KEY,
      segment INTEGER NOT NULL,
      ordinal INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE ${table.models} (
      model INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      dims INTEGER NOT NULL,
      UNIQUE (id, sha256, dims)
    );
    CREATE TABLE ${table.vectors} (
      segment INTEGER NOT NULL,
      model INTEGER NOT NULL,
      version INTEGER NOT NULL,
      scales BLOB NOT NULL,
      rows BLOB NOT NULL,
      PRIMARY KEY (segment, model)
    );
    `,
  ];
}

export interface Tables {
  readonly state: string;
  readonly segments: string;
  readonly parts: string;
  readonly postings: string;
  readonly documents: string;
  readonly models: string;
  readonly vectors: string;
}

export function tablesOf(name: string): Tables {
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(name)) {
    throw new DomainError("internal", `Not a name for a search index: ${name}`);
  }
  return {
    state: `${name}_search_state`,
    segments: `${name}_search_segments`,
    parts: `${name}_search_parts`,
    postings: `${name}_search_postings`,
    documents: `${name}_search_documents`,
    models: `${name}_search_models`,
    vectors: `${name}_search_vectors`,
  };
}

const BUCKETS_PER_SEGMENT = 2 ** 20;
/** A bucket's row id: found without an index of its own, and all of a segment lie together. */
export const bucketRow = (segment: number, bucket: number): number => segment * BUCKETS_PER_SEGMENT + bucket;
