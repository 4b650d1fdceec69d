import type { Jail } from "../../../core/files/jail.ts";
import type { ClientId } from "../client.ts";
import { normalized, splitRules } from "../import/import-texts.ts";
import type { SharedSkill, SharedText } from "../memory-for-clients.ts";
import { planSkills } from "./export-skills.ts";
import { BRIDGE, EXPORTS, type Instructions } from "./export-targets.ts";
import { findBlock, outsideBlock, setBlock } from "./managed-block.ts";
import { type PlannedExport, planned, skipped } from "./planned-export.ts";
import { renderShared, type Shared } from "./rendering.ts";
import { readRuleFile, readText } from "./rule-file.ts";

interface SharedEntries extends Shared {
  readonly skills: readonly SharedSkill[];
}

/** Without this head Cursor does not always apply the rule. */
const CURSOR_HEAD = "---\ndescription: What the team agreed on and knows\nalwaysApply: true\n---\n";

/** What export would change for a client. It writes nothing. */
export async function planExport(jail: Jail, client: ClientId, all: SharedEntries): Promise<PlannedExport[]> {
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
  // Sections that the user's own text already has are not repeated.
  const own = new Set(splitRules(outsideBlock(base), file).map(({ content }) => normalized(content)));
  const isNew = ({ content }: SharedText) => !own.has(normalized(content));
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

/** Claude Code reads only CLAUDE.md; a line there includes AGENTS.md. */
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
