import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DomainError } from "../../core/errors.ts";
import { type Jail, openJail } from "../../core/files/jail.ts";
import type { Call } from "../../core/tool.ts";
import type { ImportInput, ImportReport, ImportRow } from "./exchange-report.ts";
import { EXPORTS, normal } from "./export-plan.ts";
import { splitRules } from "./import-texts.ts";
import type { ClientId } from "./known-clients.ts";
import { outsideBlock } from "./managed-block.ts";
import type { MemoryForClients } from "./memory-for-clients.ts";
import { readRuleFile, readText } from "./rule-file.ts";
import { isOurs, isSkillName, readSkillFile } from "./skill-files.ts";

/** Reads a client's rules and skills into the memory, each once. */
export async function importFiles(
  root: string,
  memory: MemoryForClients,
  { input: { client, plan, replace }, call }: { readonly input: ImportInput; readonly call: Call },
): Promise<ImportReport> {
  const jail = await openJail(root);
  const { candidates, refused } = await findTexts(jail, client);
  const entries = await judge(memory, [...candidates, ...(await findSkills(jail, client))], replace);
  if (plan) return { entries: [...refused, ...entries.map(({ row }) => row)], written: false };
  const added: ImportRow[] = [...refused];
  for (const each of entries) added.push(await add(memory, each, call));
  return { entries: added, written: true };
}

interface Candidate {
  readonly kind: "convention" | "skill";
  readonly key: string;
  readonly content: string;
  readonly description: string;
  readonly from: string;
}
interface Found {
  readonly candidates: readonly Candidate[];
  /** Files that are there and cannot be read. */
  readonly refused: readonly ImportRow[];
}
interface Judged {
  readonly row: ImportRow;
  readonly candidate: Candidate;
}

/** Rule files a client reads, beside the one we export to. */
const RULES = {
  "claude-code": ["CLAUDE.md", "AGENTS.md", ".claude/rules/*.md"],
  cline: ["AGENTS.md", ".clinerules/*.md"],
  codex: ["AGENTS.md"],
  cursor: [".cursor/rules/*.mdc", "AGENTS.md", ".cursorrules"],
  devin: ["AGENTS.md", ".windsurf/rules/*.md"],
  gemini: ["GEMINI.md"],
  opencode: ["AGENTS.md"],
  vscode: [".github/copilot-instructions.md", ".github/instructions/*.md", "AGENTS.md"],
  zed: [".rules", "AGENTS.md"],
} as const satisfies Record<ClientId, readonly string[]>;

async function findTexts(jail: Jail, client: ClientId): Promise<Found> {
  const candidates: Candidate[] = [];
  const refused: ImportRow[] = [];
  for (const pattern of RULES[client]) {
    for (const file of await filesOf(jail, pattern)) {
      const name = basename(file).replace(/\.[a-z]+$/i, "");
      const read = await readRuleFile(jail, file);
      if ("refused" in read)
        refused.push({ kind: "convention", key: name, from: file, action: "refused", note: read.refused });
      else if (read.text !== undefined)
        for (const piece of splitRules(outsideBlock(read.text), name))
          candidates.push({ ...piece, kind: "convention", description: "", from: file });
    }
  }
  return { candidates: numbered(candidates), refused };
}

/** Two pieces that say different things under one heading get keys of their own. */
function numbered(candidates: readonly Candidate[]): Candidate[] {
  const textOf = new Map<string, string>();
  return candidates.map((candidate) => {
    const text = normal(candidate.content);
    let key = candidate.key;
    for (let number = 2; (textOf.get(key) ?? text) !== text; number += 1) key = `${candidate.key}-${number}`;
    textOf.set(key, text);
    return { ...candidate, key };
  });
}

async function filesOf(jail: Jail, pattern: string): Promise<string[]> {
  if (!pattern.includes("*")) return [pattern];
  const folder = dirname(pattern);
  const ending = pattern.slice(pattern.lastIndexOf("*") + 1);
  const names = await readdir(join(jail.root, folder)).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name}`);
}

async function findSkills(jail: Jail, client: ClientId): Promise<Candidate[]> {
  const folder = EXPORTS[client].skills;
  const names = await readdir(join(jail.root, folder)).catch(() => []);
  const found: Candidate[] = [];
  for (const name of names.filter(isSkillName).sort()) {
    const from = `${folder}/${name}/SKILL.md`;
    const text = await readText(jail, from);
    const skill = text === undefined ? undefined : await readSkillFile(text);
    if (skill === undefined || isOurs(skill)) continue;
    found.push({
      kind: "skill",
      key: name,
      content: skill.body.trim(),
      description: skill.head.description ?? name,
      from,
    });
  }
  return found;
}

/** What the memory has already, by text or by name, is not added twice. */
async function judge(
  memory: MemoryForClients,
  found: readonly Candidate[],
  replace: boolean,
): Promise<Judged[]> {
  const texts = [...(await memory.listText("convention")), ...(await memory.listText("knowledge"))];
  const skills = await memory.listSkills();
  const known = new Set(texts.map(({ content }) => `convention ${normal(content)}`));
  const names = new Set(texts.map(({ key }) => `convention ${key}`));
  for (const { name, content } of skills) {
    names.add(`skill ${name}`);
    known.add(`skill ${normal((await readSkillFile(content)).body)}`);
  }
  return found.map((candidate) => {
    const { kind, key, content, from } = candidate;
    const text = `${kind} ${normal(content)}`;
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

async function add(memory: MemoryForClients, { row, candidate }: Judged, call: Call): Promise<ImportRow> {
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
