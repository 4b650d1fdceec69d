import { byCodeUnit } from "../../../core/order.ts";
import type { FileIds } from "../merge/store-merge.ts";
import { ownerOf } from "../store/layout.ts";

const MOST_NAMES = 4;

/** Says in one line what a commit changes: `ctx: add decision 0003, update architecture knowledge`. */
export function describeChanges(before: FileIds, after: FileIds): string {
  const verbs = new Map<string, string[]>();
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(byCodeUnit);
  for (const path of paths) {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old === fresh) continue;
    const verb = old === undefined ? "add" : fresh === undefined ? "remove" : "update";
    const owner = ownerOf(path);
    if (owner === undefined || owner.path !== path) continue;
    const subject = `${verb} ${owner.kind}`;
    verbs.set(subject, [...(verbs.get(subject) ?? []), nameOf(path)]);
  }
  const parts = [...verbs].map(([subject, names]) => `${subject} ${listed(names)}`);
  return `ctx: ${parts.length === 0 ? "update context" : parts.join("; ")}`;
}

function nameOf(path: string): string {
  const name = path.endsWith("/SKILL.md")
    ? (path.split("/").at(-2) ?? "")
    : (path.split("/").at(-1) ?? "").replace(/\.md$/, "");
  return /^\d{4,}-/.exec(name) && path.includes("/decisions/") ? name.slice(0, name.indexOf("-")) : name;
}

const listed = (names: readonly string[]) =>
  names.length <= MOST_NAMES
    ? names.join(", ")
    : `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more`;
