import { callPageTool, callTool } from "../app/api.ts";

export const MEMORY_KINDS = ["knowledge", "convention", "decision", "skill"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

interface MemoryAbout {
  readonly scope: string;
  readonly author?: string;
  readonly created_at?: string;
  readonly updated_at: string;
  readonly anchors?: readonly string[];
  readonly suspect?: boolean;
  readonly changed?: readonly { readonly anchor: string; readonly change: string }[];
}
export interface ShownEntry extends MemoryAbout {
  readonly kind: MemoryKind;
  readonly key: string;
  readonly title: string;
  readonly text: string;
  /** Of a decision, such as `accepted`. */
  readonly status?: string;
  /** Of a skill. */
  readonly rating?: { readonly average: number | null; readonly count: number; readonly used: number };
  readonly needsAttention?: boolean;
}
interface TextRow extends MemoryAbout {
  readonly key: string;
  readonly content: string;
}
interface DecisionRow extends MemoryAbout {
  readonly id: number;
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly context: string;
  readonly decision: string;
  readonly consequences: string;
}
interface SkillRow extends MemoryAbout {
  readonly name: string;
  readonly description: string;
  readonly content: string;
}
interface SkillFigures {
  readonly skill: string;
  readonly usage_count: number;
  readonly avg_rating: number | null;
  readonly rating_count: number;
  readonly needs_attention: boolean;
}

/** Every entry of the team's memory, newest first. */
export async function readMemory(signal: AbortSignal): Promise<readonly ShownEntry[]> {
  const [knowledge, conventions, decisions, skills, figures] = await Promise.all([
    callPageTool<readonly TextRow[]>("memory_knowledge_list", {}, signal),
    callTool<readonly TextRow[]>("context_list_conventions", {}, signal),
    callPageTool<readonly DecisionRow[]>("memory_decision_list", {}, signal),
    callPageTool<readonly SkillRow[]>("memory_skill_list", {}, signal),
    callPageTool<readonly SkillFigures[]>("memory_skill_stats", {}, signal),
  ]);
  const entries = [
    ...knowledge.map((entry) => textEntry("knowledge", entry)),
    ...conventions.map((entry) => textEntry("convention", entry)),
    ...decisions.map(decisionEntry),
    ...skills.map((skill) =>
      skillEntry(
        skill,
        figures.find((each) => each.skill === skill.name),
      ),
    ),
  ];
  return entries.sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
}

const textEntry = (kind: "knowledge" | "convention", { content, ...entry }: TextRow): ShownEntry => ({
  ...entry,
  kind,
  title: entry.key,
  text: content,
});

function decisionEntry({ id, title, context, decision, consequences, ...entry }: DecisionRow): ShownEntry {
  const parts = { Context: context, Decision: decision, Consequences: consequences };
  const text = Object.entries(parts)
    .filter(([, part]) => part.trim() !== "")
    .map(([name, part]) => `${name}\n${part.trim()}`);
  return { ...entry, kind: "decision", title: `${id}. ${title}`, text: text.join("\n\n") };
}

const skillEntry = (
  { name, description, content, ...about }: SkillRow,
  figures?: SkillFigures,
): ShownEntry => ({
  ...about,
  kind: "skill",
  key: name,
  title: `${name}: ${description}`,
  text: content,
  ...(figures && {
    rating: { average: figures.avg_rating, count: figures.rating_count, used: figures.usage_count },
    needsAttention: figures.needs_attention,
  }),
});
