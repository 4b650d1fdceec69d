/** Names of the on-disk format, schema 0.4.0. Paths are relative to the store, with `/`. */
export const STORE_DIRECTORY = ".context-teleport";
export const SCHEMA_VERSION = "0.4.0";

export const KINDS = ["knowledge", "convention", "decision", "skill"] as const;
export type EntryKind = (typeof KINDS)[number];
export const PROPOSAL_STATUSES = ["pending", "accepted", "rejected", "upstream"] as const;
export const SCOPES = ["public", "private", "ephemeral"] as const;
export type EntryScope = (typeof SCOPES)[number];

/** The folder of each kind, with its sidecars. */
export const FOLDER = {
  knowledge: "knowledge",
  convention: "conventions",
  decision: "knowledge/decisions",
  skill: "skills",
} as const satisfies Record<EntryKind, string>;

export const MANIFEST = "manifest.json";
export const ACTIVE_STATE = "state/active.json";
export const SESSIONS = "history/sessions.ndjson";
/** A longer history loses its oldest sessions. */
export const MAX_SESSIONS = 200;
export const TEAM_PREFERENCES = "preferences/team.json";
export const USER_PREFERENCES = "preferences/user.json";
export const PENDING_CONFLICTS = ".pending_conflicts.json";
export const ACTIVITY_FOLDER = "activity";
export const SKILL_FILE = "SKILL.md";

/** Never committed: metadata of non-public entries, the lock, the journal, staged files. */
export const LOCAL = ".local";
export const LOCAL_SCOPES = `${LOCAL}/scope.json`;
export const LOCAL_METADATA = `${LOCAL}/meta.json`;
export const LOCAL_READS = `${LOCAL}/reads.json`;
export const JOURNAL = `${LOCAL}/journal.json`;
export const STAGING = `${LOCAL}/tmp`;

/** The committed ignore file is the same in every store, so it does not reveal what is private. */
export const IGNORED = [
  `${LOCAL}/`,
  ".scope.json",
  ACTIVE_STATE,
  USER_PREFERENCES,
  PENDING_CONFLICTS,
] as const;

export const scopeFile = (folder: string) => `${folder}/.scope.json`;
export const metadataFile = (folder: string) => `${folder}/.meta.json`;
/** Lists itself and the private entries of its folder, to keep them out of `git add`. Never committed. */
export const ignoreFile = (folder: string) => `${folder}/.gitignore`;

export const entryPath = (kind: EntryKind, key: string): string =>
  kind === "skill" ? `${FOLDER.skill}/${key}/${SKILL_FILE}` : `${FOLDER[kind]}/${key}.md`;

/** The entry that a file belongs to: the entry's own file, or any file in a skill's folder. */
export function ownerOf(path: string): { readonly kind: EntryKind; readonly path: string } | undefined {
  const skill = /^skills\/([^/]+)\/./.exec(path);
  if (skill?.[1] !== undefined) return { kind: "skill", path: entryPath("skill", skill[1]) };
  if (/^knowledge\/decisions\/[^/]+\.md$/.test(path)) return { kind: "decision", path };
  if (/^knowledge\/[^/]+\.md$/.test(path)) return { kind: "knowledge", path };
  if (/^conventions\/[^/]+\.md$/.test(path)) return { kind: "convention", path };
  return undefined;
}

export const folderOf = (path: string): string => {
  const owner = ownerOf(path);
  return owner === undefined ? path.slice(0, Math.max(0, path.lastIndexOf("/"))) : FOLDER[owner.kind];
};

/** The name of an entry in the sidecars of its folder. */
export const sidecarKey = (path: string): string => path.slice(folderOf(path).length + 1);
