import { byCodeUnit } from "../../../core/order.ts";
import type { FileIds } from "../merge/store-merge.ts";
import { ACTIVITY_FOLDER, ownerOf, SESSIONS, TEAM_PREFERENCES } from "../store/layout.ts";

const MOST_NAMES = 4;

/** Says in one line what a commit changes: `ctx: add decision 0003; update knowledge architecture`. */
export function describeChanges(before: FileIds, after: FileIds): string {
  const verbs = new Map<string, Set<string>>();
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(byCodeUnit);
  for (const path of paths) {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old === fresh) continue;
    const { kind, name, isLog = false } = subjectOf(path) ?? {};
    if (kind === undefined || name === undefined) continue;
    const verb = fresh === undefined ? "remove" : old === undefined || isLog ? "add" : "update";
    const subject = `${verb} ${kind}`;
    verbs.set(subject, (verbs.get(subject) ?? new Set()).add(name));
  }
  const parts = [...verbs].map(([subject, names]) => `${subject} ${listed([...names])}`.trim());
  return `ctx: ${parts.length === 0 ? "update context" : parts.join("; ")}`;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  /** Grows by what is added to it. */
  readonly isLog?: boolean;
}

/** What a file is about, in the words of the tools; the bookkeeping beside an entry is about nothing of its own. */
function subjectOf(path: string): Subject | undefined {
  const owner = ownerOf(path);
  if (owner?.path === path) return { kind: owner.kind, name: nameOf(path) };
  const skill = owner?.kind === "skill" ? nameOf(owner.path) : "";
  if (path === SESSIONS) return { kind: "session", name: "", isLog: true };
  if (path === TEAM_PREFERENCES) return { kind: "preferences", name: "" };
  if (path.startsWith(`${ACTIVITY_FOLDER}/`)) return { kind: "activity", name: nameOf(path) };
  if (path.endsWith("/.feedback.ndjson")) return { kind: "rating of", name: skill, isLog: true };
  if (path.endsWith("/.usage.ndjson")) return { kind: "use of", name: skill, isLog: true };
  if (path.includes("/.proposals/")) return { kind: "proposal for", name: skill };
  return skill === "" ? undefined : { kind: "files of skill", name: skill };
}

function nameOf(path: string): string {
  const name = path.endsWith("/SKILL.md")
    ? (path.split("/").at(-2) ?? "")
    : (path.split("/").at(-1) ?? "").replace(/\.(md|json)$/, "");
  return /^\d{4,}-/.exec(name) && path.includes("/decisions/") ? name.slice(0, name.indexOf("-")) : name;
}

const listed = (names: readonly string[]) =>
  names.length <= MOST_NAMES
    ? names.join(", ")
    : `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more`;
