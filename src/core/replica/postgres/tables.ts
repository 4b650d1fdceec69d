/** Applied in order, each in a transaction of its own. Append only: never edit a released one. */
const MIGRATIONS: readonly string[] = [
  `CREATE SCHEMA contextful;
   CREATE TABLE contextful.schema_version (version integer NOT NULL);
   INSERT INTO contextful.schema_version VALUES (0);
   CREATE TABLE contextful.blocks (
     hash bytea PRIMARY KEY,
     packed bytea NOT NULL,
     touched_at timestamptz NOT NULL DEFAULT now()
   );
   -- They are packed already.
   ALTER TABLE contextful.blocks ALTER COLUMN packed SET STORAGE EXTERNAL;
   CREATE TABLE contextful.manifests (
     id text PRIMARY KEY,
     content text NOT NULL,
     published_at timestamptz NOT NULL DEFAULT now()
   );
   CREATE TABLE contextful.generations (
     project text NOT NULL,
     kind text NOT NULL,
     commit text NOT NULL,
     name text NOT NULL,
     published_at text NOT NULL,
     manifest text NOT NULL REFERENCES contextful.manifests,
     PRIMARY KEY (project, kind, commit)
   );
   CREATE INDEX generations_manifest ON contextful.generations (manifest);
   CREATE TABLE contextful.leases (
     name text PRIMARY KEY,
     holder uuid NOT NULL,
     expires_at timestamptz NOT NULL
   );`,
  `-- NULL: the bytes are in a bucket.
   ALTER TABLE contextful.blocks ALTER COLUMN packed DROP NOT NULL;
   CREATE TABLE contextful.settings (name text PRIMARY KEY, value text NOT NULL);`,
];
export const REPLICA_TABLES = { schema: "contextful", migrations: MIGRATIONS } as const;
