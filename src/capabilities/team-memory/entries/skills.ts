import { DomainError } from "../../../core/errors.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { namesFor, nearestName, normaliseSkillName, removableNames } from "../store/keys.ts";
import { entryPath } from "../store/layout.ts";
import { parseScope } from "../store/scopes.ts";
import { skillFiles } from "../store/shared-files.ts";
import type { StoreView } from "../store/store.ts";
import { checkText } from "./check-text.ts";
import { aboutEntry, type MemoryProject, type MemoryWriter, makeRemovable, sign } from "./project.ts";
import type { AddedSkill, MemorySkill, Removal } from "./schemas.ts";
import { findSimilar } from "./similar.ts";
import { checkDescription, printSkill, readSkillHead } from "./skill-file.ts";
import { everyEntry, notRemoved } from "./text-entries.ts";

export interface NewSkill {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly scope?: string | undefined;
}
export async function addSkill(
  project: MemoryProject,
  wanted: NewSkill,
  writer: MemoryWriter,
): Promise<AddedSkill> {
  const scope = parseScope(wanted.scope ?? "");
  const name = normaliseSkillName(wanted.name);
  const { description, instructions } = wanted;
  checkDescription(description);
  checkText(
    [
      { name: "name", text: wanted.name },
      { name: "description", text: description },
      { name: "instructions", text: instructions },
    ],
    writer,
  );
  const file = await printSkill(name, description, instructions);
  return project.store.write({ purpose: "adding a skill", signal: writer.signal }, async (edit, view) => {
    const path = entryPath("skill", name);
    const created = !view.has(path);
    if (scope !== undefined && scope !== edit.scopeOf(path)) edit.setScope(path, scope);
    edit.put(path, file);
    await sign(project, edit, { path, actor: writer.actor });
    const similar = findSimilar(instructions, everyEntry(view), path);
    return {
      name,
      ...(name !== wanted.name && { requested_name: wanted.name }),
      created,
      scope: edit.scopeOf(path),
      ...(similar.length > 0 && { similar }),
    };
  });
}

/** Takes the exact name. Removes the whole folder with usage, ratings and proposals, even if SKILL.md is missing. */
export async function removeSkill(
  project: MemoryProject,
  name: string,
  { signal }: MemoryWriter,
): Promise<Removal> {
  const view = await project.store.view();
  const folder = removableNames(name).find(
    (one) => view.has(entryPath("skill", one)) || skillFiles(project.store.directory, one).length > 0,
  );
  if (folder === undefined) {
    const known = view.all("skill").map(({ key }) => key);
    return notRemoved(nearestName(name, known, normaliseSkillName));
  }
  const path = entryPath("skill", folder);
  await makeRemovable(project, path);
  const isRemoved = await project.store.write({ purpose: "removing a skill", signal }, (edit, view) => {
    const files = skillFiles(project.store.directory, folder);
    for (const file of files) edit.remove(file);
    edit.setMetadata(path, undefined);
    if (view.scopes.rows.has(path)) edit.setScope(path, "public");
    return files.length > 0;
  });
  return isRemoved ? { status: "removed" } : notRemoved(undefined);
}

/** Throws if it exists but cannot be read. */
export function findSkill(view: StoreView, name: string): MemoryEntry | undefined {
  const existing = existingName(view, name);
  return existing === undefined ? undefined : view.find("skill", existing);
}

export function requireSkill(view: StoreView, name: string): MemoryEntry {
  const entry = findSkill(view, name);
  if (entry === undefined)
    throw new DomainError("not_found", `Skill '${name}' not found`, { reason: "no_skill" });
  return entry;
}

export async function describeSkill(
  project: MemoryProject,
  view: StoreView,
  entry: MemoryEntry,
): Promise<MemorySkill> {
  const head = await readSkillHead(entry.text);
  const isOther = head.name !== undefined && head.name !== entry.key;
  return {
    name: entry.key,
    description: head.description,
    content: entry.text,
    ...(isOther && { mismatch: true as const }),
    ...(await aboutEntry(project, view, entry)),
  };
}

export async function listSkills(project: MemoryProject): Promise<MemorySkill[]> {
  const view = await project.store.view();
  const listed: MemorySkill[] = [];
  for (const entry of view.all("skill")) listed.push(await describeSkill(project, view, entry));
  return listed;
}

/** Also for a skill that cannot be read. */
const existingName = (view: StoreView, name: string): string | undefined =>
  namesFor(name, normaliseSkillName).find((one) => view.has(entryPath("skill", one)));
