import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Jail } from "../../../core/files/jail.ts";
import type { ClientId } from "../client.ts";
import { EXPORTS } from "../export/export-targets.ts";
import { outsideBlock } from "../export/managed-block.ts";
import { readRuleFile, readText } from "../export/rule-file.ts";
import { isOurs, isSkillName, readSkillFile } from "../export/skill-files.ts";
import type { ImportRow } from "./import-report.ts";
import { normalized, splitRules } from "./import-texts.ts";

/** A part of a client's files that could become an entry. */
export interface ImportCandidate {
  readonly kind: "convention" | "skill";
  readonly key: string;
  readonly content: string;
  readonly description: string;
  readonly from: string;
}
interface FoundTexts {
  readonly candidates: readonly ImportCandidate[];
  /** Files that exist, but cannot be read. */
  readonly refused: readonly ImportRow[];
}

/** The rule files a client reads, besides the file we export to. */
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

export async function findTexts(jail: Jail, client: ClientId): Promise<FoundTexts> {
  const candidates: ImportCandidate[] = [];
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

/** Different texts under the same heading get different keys. */
function numbered(candidates: readonly ImportCandidate[]): ImportCandidate[] {
  const textOf = new Map<string, string>();
  return candidates.map((candidate) => {
    const text = normalized(candidate.content);
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

export async function findSkills(jail: Jail, client: ClientId): Promise<ImportCandidate[]> {
  const folder = EXPORTS[client].skills;
  const names = await readdir(join(jail.root, folder)).catch(() => []);
  const found: ImportCandidate[] = [];
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
