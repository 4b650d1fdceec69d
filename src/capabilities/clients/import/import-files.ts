import { DomainError } from "../../../core/errors.ts";
import { openJail } from "../../../core/files/jail.ts";
import type { Call } from "../../../core/tool.ts";
import { readSkillFile } from "../export/skill-files.ts";
import type { MemoryForClients } from "../memory-for-clients.ts";
import { findSkills, findTexts, type ImportCandidate } from "./import-candidates.ts";
import type { ImportInput, ImportReport, ImportRow } from "./import-report.ts";
import { normalized } from "./import-texts.ts";

/** Adds a client's rules and skills to the memory, each once. */
export async function importFiles(
  root: string,
  memory: MemoryForClients,
  { input: { client, plan, replace }, call }: { readonly input: ImportInput; readonly call: Call },
): Promise<ImportReport> {
  const jail = await openJail(root);
  const { candidates, refused } = await findTexts(jail, client);
  const entries = await decide(memory, [...candidates, ...(await findSkills(jail, client))], replace);
  if (plan) return { entries: [...refused, ...entries.map(({ row }) => row)], written: false };
  const added: ImportRow[] = [...refused];
  for (const each of entries) added.push(await add(memory, each, call));
  return { entries: added, written: true };
}

interface ImportDecision {
  readonly row: ImportRow;
  readonly candidate: ImportCandidate;
}

/** Decides what to add. Texts and names that the memory already has are not added again. */
async function decide(
  memory: MemoryForClients,
  found: readonly ImportCandidate[],
  replace: boolean,
): Promise<ImportDecision[]> {
  const texts = [...(await memory.listText("convention")), ...(await memory.listText("knowledge"))];
  const skills = await memory.listSkills();
  const known = new Set(texts.map(({ content }) => `convention ${normalized(content)}`));
  const names = new Set(texts.map(({ key }) => `convention ${key}`));
  for (const { name, content } of skills) {
    names.add(`skill ${name}`);
    known.add(`skill ${normalized((await readSkillFile(content)).body)}`);
  }
  return found.map((candidate) => {
    const { kind, key, content, from } = candidate;
    const text = `${kind} ${normalized(content)}`;
    const name = `${kind} ${key}`;
    const isSameName = names.has(name);
    const action = known.has(text) ? "known" : !isSameName ? "add" : replace ? "replace" : "differs";
    known.add(text);
    names.add(name);
    const note =
      action === "differs" ? "an entry of that name says something else; --replace takes the file's" : "";
    return { candidate, row: { kind, key, from, action, note } };
  });
}

async function add(
  memory: MemoryForClients,
  { row, candidate }: ImportDecision,
  call: Call,
): Promise<ImportRow> {
  if (row.action !== "add" && row.action !== "replace") return row;
  const writer = { actor: call.actor, signal: call.signal };
  const { key, content, description } = candidate;
  try {
    if (row.kind === "skill")
      await memory.addSkill({ name: key, description, instructions: content }, writer);
    else await memory.addText("convention", { key, content }, writer);
    return row;
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    return { ...row, action: "refused", note: thrown.message };
  }
}
