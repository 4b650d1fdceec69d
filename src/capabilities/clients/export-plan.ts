import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { unifiedDiff } from "../../core/diff/unified.ts";
import type { Jail } from "../../core/files/jail.ts";
import type { Refusal } from "./config-file.ts";
import { splitRules } from "./import-texts.ts";
import type { ClientId } from "./known-clients.ts";
import { findBlock, outsideBlock, setBlock } from "./managed-block.ts";
import type { SharedSkill, SharedText } from "./memory-for-clients.ts";
import { renderShared, type Shared } from "./rendering.ts";
import { type RuleFile, readRuleFile, readText } from "./rule-file.ts";
import { isOurs, isSkillName, printSkillFile, readSkillFile } from "./skill-files.ts";

export interface PlannedExport {
  readonly file: string;
  readonly action: "create" | "change" | "remove" | "unchanged" | "skipped" | "refused";
  readonly note: string;
  readonly diff: string;
  /** The text to write; `undefined` where nothing is written. */
  readonly after?: string;
}
interface Everything extends Shared {
  readonly skills: readonly SharedSkill[];
}

type Instructions =
  | "AGENTS.md"
  | "GEMINI.md"
  | ".github/copilot-instructions.md"
  | ".cursor/rules/contextful.mdc";

/** Where each client reads instructions and skills. */
export const EXPORTS = {
  "claude-code": { instructions: "AGENTS.md", bridge: "CLAUDE.md", skills: ".claude/skills" },
  cline: { instructions: "AGENTS.md", skills: ".agents/skills" },
  codex: { instructions: "AGENTS.md", skills: ".agents/skills" },
  cursor: { instructions: ".cursor/rules/contextful.mdc", skills: ".agents/skills" },
  devin: { instructions: "AGENTS.md", skills: ".agents/skills" },
  gemini: { instructions: "GEMINI.md", skills: ".agents/skills" },
  opencode: { instructions: "AGENTS.md", skills: ".agents/skills" },
  vscode: { instructions: ".github/copilot-instructions.md", skills: ".agents/skills" },
  zed: { instructions: "AGENTS.md", skills: ".agents/skills" },
} as const satisfies Record<ClientId, { instructions: Instructions; bridge?: string; skills: string }>;

/** The line in CLAUDE.md that brings AGENTS.md in. */
export const BRIDGE = "@AGENTS.md";

/** Cursor applies a rule always only where its head says so. */
const CURSOR_HEAD = "---\ndescription: What the team agreed on and knows\nalwaysApply: true\n---\n";

/** What export would change for a client. Writes nothing. */
export async function planExport(jail: Jail, client: ClientId, all: Everything): Promise<PlannedExport[]> {
  const target = EXPORTS[client];
  const rows = [await planInstructions(jail, target.instructions, all)];
  if ("bridge" in target) rows.push(await planBridge(jail, target.bridge, rows[0]));
  return [...rows, ...(await planSkills(jail, target.skills, all.skills))];
}

async function planInstructions(jail: Jail, file: Instructions, all: Shared): Promise<PlannedExport> {
  const before = await readRuleFile(jail, file);
  if ("refused" in before) return skipped(file, before);
  const base = before.text ?? (file.endsWith(".mdc") ? CURSOR_HEAD : "");
  if (file.endsWith(".mdc") && before.text !== undefined && findBlock(before.text) === undefined)
    return skipped(file, { refused: "this file is not ours" });
  // What the user's own text says already, as a section of its own, is not said twice.
  const own = new Set(splitRules(outsideBlock(base), file).map(({ content }) => normal(content)));
  const isNew = ({ content }: SharedText) => !own.has(normal(content));
  const body = renderShared({
    conventions: all.conventions.filter(isNew),
    knowledge: all.knowledge.filter(isNew),
    decisions: all.decisions,
  });
  if (before.text === undefined && body === undefined)
    return { file, action: "unchanged", note: "nothing to share", diff: "" };
  const after = setBlock(base, body);
  const note = Buffer.byteLength(after) > 32 * 1024 ? "over 32 KiB: Codex reads only the beginning" : "";
  return planned(file, before, { after, note });
}

/** Claude Code reads CLAUDE.md alone; a line there brings AGENTS.md in. */
async function planBridge(
  jail: Jail,
  file: string,
  instructions: PlannedExport | undefined,
): Promise<PlannedExport> {
  const before = await readRuleFile(jail, file);
  if ("refused" in before) return skipped(file, before);
  const real = await Promise.all([file, "AGENTS.md"].map((name) => jail.resolve(name).catch(() => name)));
  const isSame = before.text !== undefined && real[0] === real[1];
  const hasBridge = /^@(\.\/)?AGENTS\.md\s*$/m.test(outsideBlock(before.text ?? ""));
  const hasText = instructions?.after !== undefined || (await readText(jail, "AGENTS.md")) !== undefined;
  if (isSame || hasBridge || !hasText)
    return { file, action: "unchanged", note: "reads AGENTS.md already", diff: "" };
  return planned(file, before, { after: setBlock(before.text ?? "", BRIDGE), note: "" });
}

async function planSkills(
  jail: Jail,
  folder: string,
  skills: readonly SharedSkill[],
): Promise<PlannedExport[]> {
  const rows: PlannedExport[] = [];
  const kept = new Set<string>();
  for (const skill of skills) {
    if (!isSkillName(skill.name)) {
      rows.push(skipped(folder, { refused: `no name for a skill: ${JSON.stringify(skill.name)}` }));
      continue;
    }
    kept.add(skill.name);
    const file = `${folder}/${skill.name}/SKILL.md`;
    const before = await readRuleFile(jail, file);
    if ("refused" in before) rows.push(skipped(file, before));
    else if (before.text !== undefined && !isOurs(await readSkillFile(before.text)))
      rows.push(skipped(file, { refused: "a skill of that name is there and not ours" }));
    else rows.push(planned(file, before, { after: await printSkillFile(skill), note: "" }));
  }
  return [...rows, ...(await planStale(jail, folder, kept))];
}

/** Skills we exported once and the team no longer has. */
async function planStale(jail: Jail, folder: string, kept: ReadonlySet<string>): Promise<PlannedExport[]> {
  const ours = await exportedSkills(jail, folder);
  return [...ours]
    .filter(([name]) => !kept.has(name))
    .map(([name, text]) => {
      const file = `${folder}/${name}/SKILL.md`;
      return { file, action: "remove", note: "the team no longer has it", diff: diff(file, text, undefined) };
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

function planned(
  file: string,
  { text: before, isReadOnly }: RuleFile,
  { after, note }: { after: string; note: string },
): PlannedExport {
  if (before === after) return { file, action: "unchanged", note, diff: "" };
  // Replacing a read-only file works, but whoever made it so meant it.
  if (isReadOnly) return skipped(file, { refused: "it is read-only" });
  const action = before === undefined ? "create" : "change";
  return { file, action, note, diff: diff(file, before, after), after };
}

const skipped = (file: string, { refused }: Refusal): PlannedExport => ({
  file,
  action: "skipped",
  note: refused,
  diff: "",
});

const diff = (file: string, before: string | undefined, after: string | undefined) =>
  unifiedDiff(
    { label: before === undefined ? "/dev/null" : file, text: before ?? "" },
    { label: after === undefined ? "/dev/null" : file, text: after ?? "" },
  );

export const normal = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Where a file that may be a link inside the project is really written. */
export async function writtenAt(jail: Jail, file: string): Promise<string> {
  const real = await jail.resolve(file).catch(() => join(jail.root, file));
  return relative(jail.root, real).replaceAll("\\", "/");
}
