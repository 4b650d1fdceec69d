import { byCodeUnit } from "../../../../core/order.ts";
import type { FileIds } from "../../merge/store-merge.ts";
import { ACTIVITY_FOLDER, ownerOf, SESSIONS, TEAM_PREFERENCES } from "../../store/layout.ts";

const MAX_NAMES = 4;

/** One line about a commit: `ctx: add decision 0003; update knowledge architecture`. */
export function describeChanges(before: FileIds, after: FileIds): string {
  const verbs = new Map<string, Set<string>>();
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(byCodeUnit);
  for (const path of paths) {
    const [old, current] = [before.get(path), after.get(path)];
    if (old === current) continue;
    const { kind, name, isLog = false } = subjectOf(path) ?? {};
    if (kind === undefined || name === undefined) continue;
    const verb = current === undefined ? "remove" : old === undefined || isLog ? "add" : "update";
    const subject = `${verb} ${kind}`;
    verbs.set(subject, (verbs.get(subject) ?? new Set()).add(name));
  }
  const parts = [...verbs].map(([subject, names]) => `${subject} ${listed([...names])}`.trim());
  return `ctx: ${parts.length === 0 ? "update context" : parts.join("; ")}`;
}

interface ChangeSubject {
  readonly kind: string;
  readonly name: string;
  /** A log only grows, so a change is always an addition. */
  readonly isLog?: boolean;
}

/** What a file is about, in the words of the tools. Sidecar files have no subject of their own. */
function subjectOf(path: string): ChangeSubject | undefined {
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
  names.length <= MAX_NAMES
    ? names.join(", ")
    : `${names.slice(0, MAX_NAMES).join(", ")} and ${names.length - MAX_NAMES} more`;
