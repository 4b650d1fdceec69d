import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import {
  type EntryScope,
  FOLDER,
  KINDS,
  LOCAL_SCOPES,
  ownerOf,
  SCOPES,
  scopeFile,
  sidecarKey,
} from "./layout.ts";
import type { Sidecars } from "./sidecar.ts";

export interface ScopeTable {
  /** The scope of the entry that the file belongs to; other files are public. */
  of(path: string): EntryScope;
  /** Non-public entries by their path. */
  readonly rows: ReadonlyMap<string, EntryScope>;
  /** Scope files that could not be read. Entries they may describe are private until they are repaired. */
  readonly problems: readonly string[];
}

const FOLDERS = KINDS.map((kind) => FOLDER[kind]);

/**
 * Our rows are in a local file; other programs of this format use the `.scope.json` of a folder. The stricter scope
 * wins, an unknown word means private, and an unreadable file makes its whole folder private.
 */
export function readScopes(sidecars: Sidecars): ScopeTable {
  const rows = new Map<string, EntryScope>();
  const problems: string[] = [];
  const add = (path: string, value: unknown, file: string) => {
    const scope = asScope(value);
    if (scope === undefined) problems.push(`${file} gives ${sidecarKey(path)} an unknown scope`);
    if (scope !== "public") rows.set(path, stricter(rows.get(path), scope ?? "private"));
  };
  const local = sidecars.read(LOCAL_SCOPES);
  if (local.problem !== undefined) problems.push(local.problem);
  for (const [path, value] of local.rows) add(path, value, LOCAL_SCOPES);
  const closed = new Set<string>(local.problem === undefined ? [] : FOLDERS);
  for (const folder of FOLDERS) {
    const sidecar = sidecars.read(scopeFile(folder));
    if (sidecar.problem !== undefined) {
      problems.push(sidecar.problem);
      closed.add(folder);
    }
    for (const [name, value] of sidecar.rows) add(`${folder}/${name}`, value, scopeFile(folder));
  }
  return {
    rows,
    problems,
    of(path) {
      const owner = ownerOf(path);
      if (owner === undefined) return "public";
      return rows.get(owner.path) ?? (closed.has(FOLDER[owner.kind]) ? "private" : "public");
    },
  };
}

/** Ignores case. Empty: the caller gave no scope. */
export const parseScope = (text: string): EntryScope | undefined =>
  text.trim() === "" ? undefined : requireScope(text);

export function requireScope(text: string): EntryScope {
  const scope = asScope(text.trim().toLowerCase());
  if (scope !== undefined) return scope;
  throw new DomainError("invalid_input", `Invalid scope '${text}'. Use public, private, or ephemeral.`, {
    reason: "scope",
  });
}

/** The ignore file that keeps the non-public entries of a folder, and itself, out of `git add`. */
export function printIgnore(folder: string, rows: ReadonlyMap<string, EntryScope>): string {
  const names = [...rows.keys()]
    .filter((path) => ownerOf(path)?.path === path && FOLDER[ownerOf(path)?.kind ?? "knowledge"] === folder)
    .map((path) => (folder === FOLDER.skill ? `${sidecarKey(path).split("/")[0] ?? ""}/` : sidecarKey(path)))
    .sort(byCodeUnit);
  const lines = names.map((name) => `/${escapePattern(name)}`);
  return `# Written by contextful. Local: keeps private entries and this file out of git.\n${["/.gitignore", ...lines].join("\n")}\n`;
}

const asScope = (value: unknown): EntryScope | undefined => SCOPES.find((scope) => scope === value);

const stricter = (a: EntryScope | undefined, b: EntryScope): EntryScope => (a === "ephemeral" ? a : b);

/** Escapes pattern characters. A line break cannot be escaped, so `?` matches it. */
const escapePattern = (name: string) =>
  name.replaceAll(/[\\*?[\]!# ]/g, (sign) => `\\${sign}`).replaceAll(/[\r\n]/g, "?");
