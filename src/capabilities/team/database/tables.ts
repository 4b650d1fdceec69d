/**
 * Applied in order, each in a transaction of its own. Append only: never edit a released one. Triggers count the changes
 * of what servers keep in memory, so that one small query tells them what to read again: everything after a change of
 * access, single projects after publications, which are many.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE SCHEMA contextful_team;
   CREATE TABLE contextful_team.schema_version (version integer NOT NULL);
   INSERT INTO contextful_team.schema_version VALUES (0);
   CREATE TABLE contextful_team.revision (access integer NOT NULL, published bigint NOT NULL);
   INSERT INTO contextful_team.revision VALUES (1, 0);
   CREATE TABLE contextful_team.tokens (
     id text PRIMARY KEY,
     name text NOT NULL UNIQUE,
     salt bytea NOT NULL,
     hash bytea NOT NULL,
     calls_per_minute integer NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz,
     revoked_at timestamptz,
     last_used_at timestamptz
   );
   CREATE TABLE contextful_team.projects (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     name text NOT NULL UNIQUE,
     url text NOT NULL,
     branch text,
     group_name text,
     created_at timestamptz NOT NULL DEFAULT now(),
     -- Somebody asked for a new index: a push, or a person.
     requested_at timestamptz NOT NULL DEFAULT now(),
     -- The remote was last looked at, successfully or not.
     checked_at timestamptz,
     -- The index had everything that was asked for before this time.
     indexed_at timestamptz,
     failure text,
     -- The published generation: see core/replica.
     repository text UNIQUE,
     kind text,
     commit text,
     published_at timestamptz,
     -- The number of its last publication among all.
     revision bigint NOT NULL DEFAULT 0
   );
   CREATE INDEX projects_revision ON contextful_team.projects (revision);
   CREATE TABLE contextful_team.grants (
     token text NOT NULL REFERENCES contextful_team.tokens ON DELETE CASCADE,
     -- 'all', 'group NAME' or 'project ID'.
     scope text NOT NULL,
     role text NOT NULL,
     PRIMARY KEY (token, scope)
   );
   CREATE TABLE contextful_team.audit (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT now(),
     actor text NOT NULL,
     action text NOT NULL,
     target text NOT NULL,
     outcome text NOT NULL,
     address text NOT NULL,
     times integer NOT NULL
   );
   CREATE FUNCTION contextful_team.count_access() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN UPDATE contextful_team.revision SET access = access + 1; RETURN NULL; END';
   CREATE TRIGGER count_access AFTER INSERT OR DELETE OR UPDATE OF calls_per_minute, expires_at, revoked_at
     ON contextful_team.tokens FOR EACH STATEMENT EXECUTE FUNCTION contextful_team.count_access();
   CREATE TRIGGER count_access AFTER INSERT OR UPDATE OR DELETE
     ON contextful_team.grants FOR EACH STATEMENT EXECUTE FUNCTION contextful_team.count_access();
   CREATE TRIGGER count_access AFTER INSERT OR DELETE
     ON contextful_team.projects FOR EACH STATEMENT EXECUTE FUNCTION contextful_team.count_access();
   -- The row of the counter stays locked until the commit, so that numbers become visible in their order.
   CREATE FUNCTION contextful_team.number_publication() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN
        UPDATE contextful_team.revision SET published = published + 1 RETURNING published INTO NEW.revision;
        RETURN NEW;
      END';
   CREATE TRIGGER number_publication BEFORE UPDATE OF repository, kind, commit, published_at
     ON contextful_team.projects FOR EACH ROW EXECUTE FUNCTION contextful_team.number_publication();`,
  `-- Generations have the key of their project, not that of the repository: everything is published again.
   ALTER TABLE contextful_team.projects DROP CONSTRAINT projects_repository_key;
   UPDATE contextful_team.projects SET kind = NULL, commit = NULL, published_at = NULL, requested_at = now();`,
  `-- Blocks that a token has sent for a publication: nobody publishes bytes that only others have.
   CREATE TABLE contextful_team.uploads (
     token text NOT NULL REFERENCES contextful_team.tokens ON DELETE CASCADE,
     hash bytea NOT NULL,
     sent_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (token, hash)
   );
   CREATE INDEX uploads_sent_at ON contextful_team.uploads (sent_at);
   -- Their generations are still in the store.
   CREATE TABLE contextful_team.removed_projects (id uuid PRIMARY KEY, repository text);
   CREATE INDEX audit_at ON contextful_team.audit (at);`,
  `-- Servers listen, so that they need not ask again and again.
   CREATE OR REPLACE FUNCTION contextful_team.count_access() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN UPDATE contextful_team.revision SET access = access + 1; NOTIFY contextful_team; RETURN NULL; END';
   CREATE OR REPLACE FUNCTION contextful_team.number_publication() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN
        UPDATE contextful_team.revision SET published = published + 1 RETURNING published INTO NEW.revision;
        NOTIFY contextful_team;
        RETURN NEW;
      END';`,
];
export const TEAM_TABLES = { schema: "contextful_team", migrations: MIGRATIONS } as const;
