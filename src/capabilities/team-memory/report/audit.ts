import { findSecrets, flagInstructions } from "../../../core/hygiene/index.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { decisionsOf } from "../entries/decisions.ts";
import { aboutEntry, type MemoryProject } from "../entries/project.ts";
import { findSimilar } from "../entries/similar.ts";
import { describeSkill } from "../entries/skills.ts";
import { everyEntry } from "../entries/text-entries.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import type { StoreView } from "../store/store.ts";
import { readsOf } from "./reads.ts";

interface AuditFinding {
  readonly kind:
    | "unreadable"
    | "duplicate"
    | "suspect"
    | "stale"
    | "secret"
    | "instruction"
    | "never-read"
    | "mismatch";
  /** Relative to the store. */
  readonly file: string;
  readonly detail: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a person should look at in the store, with file and reason. */
export async function audit(
  project: MemoryProject,
  { staleDays }: { staleDays: number },
): Promise<AuditFinding[]> {
  const view = await project.store.view();
  const entries = everyEntry(view);
  const reads = readsOf(project);
  const found: AuditFinding[] = view.problems.map((detail) => ({
    kind: "unreadable",
    file: fileIn(detail),
    detail,
  }));
  const oldest = new Date(Date.parse(project.now()) - staleDays * DAY_MS).toISOString();
  for (const entry of entries) {
    const add = (kind: AuditFinding["kind"], detail: string) =>
      found.push({ kind, file: entry.path, detail });
    const { suspect, changed = [], updated_at } = await aboutEntry(project, view, entry);
    if (suspect) add("suspect", changed.map(({ anchor, change }) => `${anchor} ${change}`).join(", "));
    if (updated_at < oldest) add("stale", `last written ${updated_at.slice(0, 10)}`);
    for (const { line, kind } of findSecrets(entry.text)) add("secret", `line ${line}: ${kind}`);
    for (const { line, form } of flagInstructions(entry.text)) add("instruction", `line ${line}: ${form}`);
    if ((reads.get(entry.path) ?? 0) === 0) add("never-read", "never read on this machine");
    if (entry.kind === "skill" && (await describeSkill(project, view, entry)).mismatch) {
      add("mismatch", "the name in SKILL.md differs from its folder");
    }
  }
  found.push(...duplicates(entries), ...sameIds(view));
  return found.sort(
    (a, b) => byCodeUnit(a.kind, b.kind) || byCodeUnit(a.file, b.file) || byCodeUnit(a.detail, b.detail),
  );
}

function duplicates(entries: readonly MemoryEntry[]): AuditFinding[] {
  const earlier: MemoryEntry[] = [];
  const found: AuditFinding[] = [];
  for (const entry of entries) {
    for (const { type, key, similarity } of findSimilar(entry.text, earlier)) {
      found.push({
        kind: "duplicate",
        file: entry.path,
        detail: `nearly the same as ${type} ${key} (${similarity})`,
      });
    }
    earlier.push(entry);
  }
  return found;
}

function sameIds(view: StoreView): AuditFinding[] {
  const decisions = decisionsOf(view);
  return decisions
    .filter(({ id }, index) => decisions[index - 1]?.id === id)
    .map(({ id, entry }) => ({
      kind: "duplicate",
      file: entry.path,
      detail: `another decision has the id ${id}`,
    }));
}

const fileIn = (problem: string) => problem.split(" ")[0] ?? "";
