import { DomainError } from "../../../core/errors.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { type EntryKind, KINDS } from "../store/layout.ts";
import { requireScope } from "../store/scopes.ts";
import type { StoreView } from "../store/store.ts";
import { findDecision } from "./decisions.ts";
import type { MemoryProject, MemoryWriter } from "./project.ts";
import type { ScopeAnswer } from "./schemas.ts";
import { findSkill } from "./skills.ts";
import { findText, noEntry } from "./text-entries.ts";

export async function getScope({ store }: MemoryProject, type: string, key: string): Promise<ScopeAnswer> {
  const kind = parseKind(type);
  const view = await store.view();
  const entry = requireEntry(view, kind, key);
  const { problems } = view.scopes;
  return { key, scope: view.scopes.of(entry.path), ...(problems.length > 0 && { warnings: problems }) };
}

export async function setScope(
  { store }: MemoryProject,
  { type, key, scope }: { type: string; key: string; scope: string },
  { signal }: MemoryWriter,
): Promise<ScopeAnswer> {
  const kind = parseKind(type);
  const wanted = requireScope(scope);
  requireEntry(await store.view(), kind, key);
  return store.write({ purpose: "changing a scope", signal }, (edit, view) => {
    const { path } = requireEntry(view, kind, key);
    const before = edit.scopeOf(path);
    edit.setScope(path, wanted);
    const wasPublic = before === "public" && wanted !== "public";
    return {
      key,
      scope: wanted,
      ...(wasPublic && {
        warnings: ["Copies that were pushed before stay in the history of the repository."],
      }),
    };
  });
}

export function findAny(view: StoreView, kind: EntryKind, key: string): MemoryEntry | undefined {
  if (kind === "decision") return findDecision(view, key);
  return kind === "skill" ? findSkill(view, key) : findText(view, kind, key);
}

function requireEntry(view: StoreView, kind: EntryKind, key: string): MemoryEntry {
  const entry = findAny(view, kind, key);
  if (entry === undefined) throw noEntry(kind, key);
  return entry;
}

function parseKind(type: string): EntryKind {
  const kind = KINDS.find((known) => known === type.trim().toLowerCase());
  if (kind !== undefined) return kind;
  throw new DomainError(
    "invalid_input",
    `Invalid entry_type '${type}'. Use 'knowledge', 'decision', 'convention', or 'skill'.`,
    { reason: "entry_type" },
  );
}
