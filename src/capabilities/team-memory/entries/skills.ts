import { DomainError } from "../../../core/errors.ts";
import type { Entry } from "../store/entry-files.ts";
import { nameByRules, namesFor, normaliseSkillName } from "../store/keys.ts";
import { entryPath, type Scope } from "../store/layout.ts";
import { parseScope } from "../store/scopes.ts";
import { skillFiles } from "../store/shared-files.ts";
import type { View } from "../store/store.ts";
import { checkText } from "./check-text.ts";
import { makeRemovable } from "./make-removable.ts";
import { type About, aboutEntry, type Project, sign, type Writer } from "./project.ts";
import { findSimilar, type Similar } from "./similar.ts";
import { checkDescription, printSkill, readSkillHead } from "./skill-file.ts";
import { everyEntry } from "./text-entries.ts";

export interface NewSkill {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly scope?: string | undefined;
}
export interface AddedSkill {
  readonly name: string;
  readonly requested_name?: string;
  readonly created: boolean;
  readonly scope: Scope;
  readonly similar?: readonly Similar[];
}
export interface Skill extends About {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  /** The name inside the file differs from its folder: it is not exported. */
  readonly mismatch?: true;
}

export async function addSkill(project: Project, wanted: NewSkill, writer: Writer): Promise<AddedSkill> {
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

/** The folder with all that is in it: usage, ratings and proposals too, even where SKILL.md is missing. */
export async function removeSkill(project: Project, name: string, { signal }: Writer): Promise<boolean> {
  const folder = findSkillFolder(project, await project.store.view(), name);
  if (folder === undefined) return false;
  const path = entryPath("skill", folder);
  await makeRemovable(project, path);
  return project.store.write({ purpose: "removing a skill", signal }, (edit, view) => {
    const files = skillFiles(project.store.directory, folder);
    for (const file of files) edit.remove(file);
    edit.setMetadata(path, undefined);
    if (view.scopes.rows.has(path)) edit.setScope(path, "public");
    return files.length > 0;
  });
}

/** Throws where it is there and cannot be read. */
export function findSkill(view: View, name: string): Entry | undefined {
  const standing = standingName(view, name);
  return standing === undefined ? undefined : view.find("skill", standing);
}

export function requireSkill(view: View, name: string): Entry {
  const entry = findSkill(view, name);
  if (entry === undefined)
    throw new DomainError("not_found", `Skill '${name}' not found`, { reason: "no_skill" });
  return entry;
}

export async function describeSkill(project: Project, view: View, entry: Entry): Promise<Skill> {
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

export async function listSkills(project: Project): Promise<Skill[]> {
  const view = await project.store.view();
  const listed: Skill[] = [];
  for (const entry of view.all("skill")) listed.push(await describeSkill(project, view, entry));
  return listed;
}

function findSkillFolder({ store }: Project, view: View, name: string): string | undefined {
  const standing = standingName(view, name);
  if (standing !== undefined) return standing;
  return nameByRules(name, normaliseSkillName).find(
    (folder) => skillFiles(store.directory, folder).length > 0,
  );
}

/** Also of a skill that cannot be read. */
const standingName = (view: View, name: string): string | undefined =>
  namesFor(name, normaliseSkillName).find((one) => view.has(entryPath("skill", one)));
