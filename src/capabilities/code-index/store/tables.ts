import { searchMigrations } from "../../../core/search/segments/tables.ts";

/** Raise it when the program reads the same files differently: older indexes are then rebuilt. */
export const INDEX_FORMAT = "13";
export const INDEX_VERSION = "1.0.0";

/** A chunk's id is its file's id times this, plus its position in the file: a file's chunks are one range of keys. */
export const CHUNKS_PER_FILE = 65_536;
export const fileOfChunk = (chunkId: number): number => Math.floor(chunkId / CHUNKS_PER_FILE);

/** A text block's id is its file's id times this, plus its first line. No indexed file has more lines. */
export const LINES_PER_FILE = 2 ** 23;

/**
 * `facts` is the index's metadata, `left_out` the files that cannot be indexed, `contents` the text as it was indexed, `trigrams`
 * what its blocks may hold, and `names` the declarations, imports and references of each file.
 */
export const codeMigrations: readonly string[] = [
  `CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE files (
     id INTEGER PRIMARY KEY,
     path TEXT NOT NULL UNIQUE,
     language TEXT NOT NULL,
     package TEXT NOT NULL,
     import_path TEXT NOT NULL,
     hash TEXT NOT NULL,
     size INTEGER NOT NULL,
     ctime_ms REAL NOT NULL,
     symbols INTEGER NOT NULL,
     header_start INTEGER NOT NULL,
     header_end INTEGER NOT NULL
   );
   CREATE TABLE left_out (path TEXT PRIMARY KEY, size INTEGER NOT NULL, ctime_ms REAL NOT NULL) WITHOUT ROWID;
   CREATE TABLE contents (id INTEGER PRIMARY KEY, content BLOB NOT NULL);
   CREATE TABLE trigrams (id INTEGER PRIMARY KEY, bits BLOB NOT NULL);
   CREATE TABLE chunks (
     id INTEGER PRIMARY KEY,
     start_line INTEGER NOT NULL,
     end_line INTEGER NOT NULL,
     symbols TEXT NOT NULL
   );
   CREATE TABLE names (id INTEGER PRIMARY KEY, content BLOB NOT NULL);`,
];

/** The kind of a published index: only programs with the same tables and the same format read each other's. */
export const CODE_KIND = `code-${INDEX_FORMAT}.${searchMigrations("code").length + codeMigrations.length}`;
