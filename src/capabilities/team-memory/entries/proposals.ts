import { randomUUID } from "node:crypto";
import { z } from "zod";
import { unifiedDiff } from "../../../core/diff/unified.ts";
import { DomainError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { entryPath, FOLDER, PROPOSAL_STATUSES } from "../store/layout.ts";
import { listFolder } from "../store/read-file.ts";
import { printJson } from "../store/sidecar.ts";
import type { StoreView } from "../store/store.ts";
import { checkText } from "./check-text.ts";
import { type MemoryProject, type MemoryWriter, sign } from "./project.ts";
import { checkSkillFile } from "./skill-file.ts";
import { requireSkill } from "./skills.ts";

const SkillProposal = z.looseObject({
  id: z.uuid(),
  skill_name: z.string(),
  agent: z.string().catch(""),
  rationale: z.string().catch(""),
  proposed_content: z.string(),
  diff_summary: z.string().catch(""),
  status: z.enum(PROPOSAL_STATUSES),
  created_at: z.string().catch(""),
  resolved_at: z.string().nullable().catch(null),
  resolved_by: z.string().nullable().catch(null),
  /** Hash of the SKILL.md that the proposal is based on. */
  base_sha256: z.string().optional(),
});
type SkillProposal = z.infer<typeof SkillProposal>;

const MAX_DIFF_LINES = 200;

export async function proposeImprovement(
  project: MemoryProject,
  { name, content, rationale }: { name: string; content: string; rationale: string },
  writer: MemoryWriter,
): Promise<SkillProposal> {
  const skill = requireSkill(await project.store.view(), name);
  checkText(
    [
      { name: "proposed content", text: content },
      { name: "rationale", text: rationale },
    ],
    writer,
  );
  await checkSkillFile(content, skill.key);
  if (content === skill.text) throw refused(`The proposal is the same as the text of skill '${skill.key}'.`);
  return project.store.write({ purpose: "proposing an improvement", signal: writer.signal }, (edit, view) => {
    const { key, text } = requireSkill(view, name);
    const proposal: SkillProposal = {
      id: randomUUID(),
      skill_name: key,
      agent: writer.actor,
      rationale,
      proposed_content: content,
      diff_summary: summarise(text, content),
      status: "pending",
      created_at: project.now(),
      resolved_at: null,
      resolved_by: null,
      base_sha256: sha256(text),
    };
    edit.put(proposalPath(key, proposal.id), printJson(proposal));
    return proposal;
  });
}

/** Oldest first. Files that are not proposals for this skill are ignored. */
export function proposalsOf({ store }: MemoryProject, view: StoreView, skill = ""): SkillProposal[] {
  const skills = skill === "" ? view.all("skill").map(({ key }) => key) : [requireSkill(view, skill).key];
  return skills
    .flatMap((name) =>
      proposalIds(store.directory, name).flatMap((id) => {
        const proposal = readProposal(() => store.readText(proposalPath(name, id)));
        return proposal?.id === id && proposal.skill_name === name ? [proposal] : [];
      }),
    )
    .sort((a, b) => byCodeUnit(a.created_at, b.created_at) || byCodeUnit(a.id, b.id));
}

export async function resolveProposal(
  project: MemoryProject,
  { name, idPrefix, accept, force }: { name: string; idPrefix: string; accept: boolean; force: boolean },
  writer: MemoryWriter,
): Promise<SkillProposal> {
  return project.store.write(
    { purpose: "resolving a proposal", signal: writer.signal },
    async (edit, view) => {
      const skill = requireSkill(view, name);
      const proposal = pendingOne(proposalsOf(project, view, name), { skill: skill.key, idPrefix });
      if (accept) {
        await checkSkillFile(proposal.proposed_content, skill.key);
        const base = proposal.base_sha256;
        if (!force && base !== undefined && base !== sha256(skill.text)) {
          throw refused(
            `Skill '${skill.key}' changed since the proposal was made. Compare both and use --force.`,
          );
        }
        edit.put(entryPath("skill", skill.key), proposal.proposed_content);
        await sign(project, edit, { path: skill.path, actor: writer.actor });
      }
      const resolved: SkillProposal = {
        ...proposal,
        status: accept ? "accepted" : "rejected",
        resolved_at: project.now(),
        resolved_by: writer.actor,
      };
      edit.put(proposalPath(skill.key, proposal.id), printJson(resolved));
      return resolved;
    },
  );
}

/** The one pending proposal whose id starts with the prefix. */
function pendingOne(
  proposals: readonly SkillProposal[],
  { skill, idPrefix }: { skill: string; idPrefix: string },
): SkillProposal {
  const matching = proposals.filter(({ id }) => id.startsWith(idPrefix.toLowerCase()));
  const [proposal] = matching;
  if (proposal === undefined || idPrefix === "") {
    throw new DomainError("not_found", `No proposal '${idPrefix}' for skill '${skill}'`);
  }
  if (matching.length > 1)
    throw refused(`'${idPrefix}' matches ${matching.length} proposals. Give more of the id.`);
  if (proposal.status !== "pending") throw refused(`The proposal was ${proposal.status} already.`);
  return proposal;
}

const proposalPath = (skill: string, id: string) => `${FOLDER.skill}/${skill}/.proposals/${id}.json`;

/** The hunks of a unified diff, without the names of files. */
function summarise(before: string, after: string): string {
  const diff = unifiedDiff({ label: "before", text: before }, { label: "after", text: after });
  const lines = diff.slice(Math.max(0, diff.indexOf("@@"))).split("\n");
  if (lines.length <= MAX_DIFF_LINES) return lines.join("\n").trimEnd();
  return [...lines.slice(0, MAX_DIFF_LINES), `(${lines.length - MAX_DIFF_LINES} more lines)`].join("\n");
}

function proposalIds(directory: string, skill: string): string[] {
  try {
    return listFolder(directory, `${FOLDER.skill}/${skill}/.proposals`)
      .map(({ name }) => name)
      .filter((file) => /^[0-9a-f-]{36}\.json$/.test(file))
      .map((file) => file.slice(0, -".json".length));
  } catch {
    return [];
  }
}

function readProposal(read: () => string | undefined): SkillProposal | undefined {
  try {
    return SkillProposal.safeParse(JSON.parse(read() ?? "null")).data;
  } catch {
    return undefined;
  }
}

const refused = (message: string) => new DomainError("conflict", message, { reason: "proposal" });
