import { readdir } from "node:fs/promises";
import type { Jail } from "../../../core/files/jail.ts";
import { fileDiff } from "../edit/file-diff.ts";
import type { SharedSkill } from "../memory-for-clients.ts";
import { type PlannedExport, planned, skipped } from "./planned-export.ts";
import { readRuleFile, readText } from "./rule-file.ts";
import { isOurs, isSkillName, printSkillFile, readSkillFile } from "./skill-files.ts";

/** What export would change in the skills folder of a client. */
export async function planSkills(
  jail: Jail,
  folder: string,
  skills: readonly SharedSkill[],
): Promise<PlannedExport[]> {
  const rows: PlannedExport[] = [];
  const kept = new Set<string>();
  for (const skill of skills) {
    if (!isSkillName(skill.name)) {
      rows.push(skipped(folder, { refused: `not a valid name for a skill: ${JSON.stringify(skill.name)}` }));
      continue;
    }
    kept.add(skill.name);
    const file = `${folder}/${skill.name}/SKILL.md`;
    const before = await readRuleFile(jail, file);
    if ("refused" in before) rows.push(skipped(file, before));
    else if (before.text !== undefined && !isOurs(await readSkillFile(before.text)))
      rows.push(skipped(file, { refused: "a skill with this name exists and is not ours" }));
    else rows.push(planned(file, before, { after: await printSkillFile(skill), note: "" }));
  }
  return [...rows, ...(await planStale(jail, folder, kept))];
}

/** Exported skills that the team no longer has. */
async function planStale(jail: Jail, folder: string, kept: ReadonlySet<string>): Promise<PlannedExport[]> {
  const ours = await exportedSkills(jail, folder);
  return [...ours]
    .filter(([name]) => !kept.has(name))
    .map(([name, text]) => {
      const file = `${folder}/${name}/SKILL.md`;
      return {
        file,
        action: "remove",
        note: "the team no longer has it",
        diff: fileDiff(file, text, undefined),
      };
    });
}

/** The skills in a folder that carry our mark, by name. */
export async function exportedSkills(jail: Jail, folder: string): Promise<ReadonlyMap<string, string>> {
  const place = await jail.resolve(folder).catch(() => undefined);
  const names = place === undefined ? [] : await readdir(place);
  const ours = new Map<string, string>();
  for (const name of names.filter(isSkillName).sort()) {
    const text = await readText(jail, `${folder}/${name}/SKILL.md`);
    if (text !== undefined && isOurs(await readSkillFile(text))) ours.set(name, text);
  }
  return ours;
}
