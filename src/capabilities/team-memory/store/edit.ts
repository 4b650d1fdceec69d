import { DomainError } from "../../../core/errors.ts";
import {
  type EntryScope,
  folderOf,
  ignoreFile,
  LOCAL_METADATA,
  LOCAL_SCOPES,
  metadataFile,
  ownerOf,
  scopeFile,
  sidecarKey,
} from "./layout.ts";
import type { EntryMetadata } from "./metadata.ts";
import { printIgnore, type ScopeTable } from "./scopes.ts";
import { printRows, type Sidecars } from "./sidecar.ts";
import type { StoreFileChange } from "./transaction.ts";

/** Collects the changes of one transaction. Nothing is written before it ends. */
export function startEdit(sidecars: Sidecars, scopes: ScopeTable) {
  const files = new Map<string, string | Uint8Array | undefined>();
  const rows = new Map<string, Map<string, unknown>>();
  const ignored = new Set<string>();
  const scopeRows = new Map(scopes.rows);

  /** An unreadable sidecar is never overwritten. */
  const edited = (file: string): Map<string, unknown> | undefined => {
    const { rows: before, problem } = sidecars.read(file);
    if (problem !== undefined) return undefined;
    const copy = rows.get(file) ?? new Map(before);
    rows.set(file, copy);
    return copy;
  };
  const has = (file: string, key: string) => (rows.get(file) ?? sidecars.read(file).rows).has(key);
  const scopeOf = (path: string): EntryScope => scopeRows.get(path) ?? scopes.of(path);

  const edit = {
    put(path: string, content: string | Uint8Array) {
      // The scope is only a guess as long as the scope file is damaged.
      const isEntry = ownerOf(path)?.path === path;
      if (isEntry && !scopeRows.has(path) && scopes.of(path) !== "public")
        throw damagedScopes(scopes.problems);
      files.set(path, content);
    },
    remove(path: string) {
      files.set(path, undefined);
    },
    scopeOf,
    setScope(path: string, scope: EntryScope) {
      if (scopes.problems.length > 0) throw damagedScopes(scopes.problems);
      const metadata = edit.metadataOf(path);
      edit.setMetadata(path, undefined);
      if (scope === "public") scopeRows.delete(path);
      else scopeRows.set(path, scope);
      for (const [file, key] of [
        [LOCAL_SCOPES, path],
        [scopeFile(folderOf(path)), sidecarKey(path)],
      ] as const) {
        if (scope !== "public") edited(file)?.set(key, scope);
        else if (has(file, key)) edited(file)?.delete(key);
      }
      ignored.add(folderOf(path));
      if (metadata !== undefined) edit.setMetadata(path, metadata);
    },
    metadataOf(path: string): EntryMetadata | undefined {
      const at = (file: string, key: string) => (rows.get(file) ?? sidecars.read(file).rows).get(key);
      const row = at(LOCAL_METADATA, path) ?? at(metadataFile(folderOf(path)), sidecarKey(path));
      return typeof row === "object" && row !== null ? { ...row } : undefined;
    },
    /** Metadata of a private entry goes into the local file, which is never committed. */
    setMetadata(path: string, metadata: EntryMetadata | undefined) {
      const shared = metadataFile(folderOf(path));
      for (const [file, key] of [
        [LOCAL_METADATA, path],
        [shared, sidecarKey(path)],
      ] as const) {
        if (has(file, key)) edited(file)?.delete(key);
      }
      if (metadata === undefined) return;
      const table = scopeOf(ownerOf(path)?.path ?? path) === "public" ? edited(shared) : undefined;
      if (table !== undefined) table.set(sidecarKey(path), metadata);
      else edited(LOCAL_METADATA)?.set(path, metadata);
    },
    /** In the order of writing: a private entry is marked before its text is written and until its text is gone. */
    changes(): StoreFileChange[] {
      const scopeFiles = [...rows.keys()].filter(
        (file) => file === LOCAL_SCOPES || file.endsWith("/.scope.json"),
      );
      const sidecarChange = (file: string): StoreFileChange => ({
        path: file,
        content: printRows(rows.get(file) ?? new Map()),
      });
      const marks = [
        ...scopeFiles.map(sidecarChange),
        ...[...ignored].map((folder) => ({
          path: ignoreFile(folder),
          content: printIgnore(folder, scopeRows),
        })),
      ];
      const entries = [...files].map(([path, content]) => ({ path, content }));
      const others = [...rows.keys()].filter((file) => !scopeFiles.includes(file)).map(sidecarChange);
      const isRemoval = entries.some(({ content }) => content === undefined);
      return isRemoval ? [...entries, ...others, ...marks] : [...marks, ...entries, ...others];
    },
  };
  return edit;
}
export type StoreEdit = ReturnType<typeof startEdit>;

const damagedScopes = (problems: readonly string[]) =>
  new DomainError(
    "conflict",
    `The scopes are unknown: ${problems.join("; ")}. Repair the file, or delete it if every entry it named may be public.`,
    { reason: "scopes_unreadable", details: { problems } },
  );
