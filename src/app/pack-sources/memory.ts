import type { Gathered, PackItem, PackItemKind } from "../../capabilities/packs/index.ts";
import type { PublicEntry, TeamMemory } from "../../capabilities/team-memory/index.ts";
import { DomainError } from "../../core/errors.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import { CODE_MATCH_WEIGHT, type PackTask, queryFromCode } from "./pack-task.ts";
import { quote, sectionsOf, sizes } from "./quote.ts";

const KIND = {
  knowledge: "knowledge",
  convention: "convention",
  decision: "decision",
  skill: "knowledge",
} as const satisfies Record<PublicEntry["kind"], PackItemKind>;
const LEAST_SCORE = 0.1;
/** A convention applies everywhere, even if its words do not match the task. */
const CONVENTION_BASE = 0.15;
const NONE = { reason: "no entries yet", command: 'contextful memory knowledge add KEY "TEXT"' };
const STATE_FILE = ".context-teleport/state/active.json";

/** The team's entries: those that everybody in the team may read, and our own state. */
export async function gatherMemory(memory: TeamMemory, task: PackTask): Promise<Gathered> {
  const entries = await entriesOf(memory);
  const code = entries.length === 0 ? "" : await queryFromCode(task);
  const found = await itemsOf(entries, code, task);
  const items = [...found, ...(await currentState(task.request.root))];
  const state = sha256(JSON.stringify([entries.map(({ file, text }) => [file, text]), items]));
  return { items, state, ...(entries.length === 0 && { empty: NONE }) };
}

/** No entries if there is neither a store nor a repository: a pack does not fail because of that. */
async function entriesOf(memory: TeamMemory): Promise<readonly PublicEntry[]> {
  try {
    return await memory.publicEntries();
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "not_found") return [];
    throw thrown;
  }
}

async function itemsOf(
  entries: readonly PublicEntry[],
  code: string,
  { request, ranker }: PackTask,
): Promise<PackItem[]> {
  const texts = entries.map(({ title, key, text }) => ({ title: `${title} ${key}`, text }));
  const rank = await ranker();
  const byTask = await rank(request.task, texts);
  const byCode = await rank(code, texts);
  return entries.flatMap((entry, index) => {
    const touched = request.changes.find(({ path }) => mentionsPath(entry, path))?.path;
    const [direct, indirect] = [byTask[index] ?? 0, CODE_MATCH_WEIGHT * (byCode[index] ?? 0)];
    const best = Math.max(direct, indirect, touched === undefined ? 0 : 0.7);
    const score = entry.kind === "convention" ? CONVENTION_BASE + (1 - CONVENTION_BASE) * best : best;
    if (score < LEAST_SCORE) return [];
    const why = direct >= indirect ? "relevant to the task" : "relevant to the code of the task";
    return [itemOf(entry, score, touched === undefined ? why : `mentions ${touched}`)];
  });
}

const mentionsPath = (entry: PublicEntry, path: string): boolean =>
  entry.text.includes(path) || entry.anchors?.some((anchor) => anchor.startsWith(path)) === true;

function itemOf(entry: PublicEntry, score: number, why: string): PackItem {
  const lines = quotableLines(entry.text);
  const whole = quote(entry.file, lines, 1, lines.length);
  const decision = sectionsOf(lines).find(({ heading }) => heading === "Decision");
  const brief = decision && quote(entry.file, lines, decision.start, decision.end);
  const name = quote(entry.file, lines, 1, 1);
  return {
    id: `memory:${entry.file}`,
    room: "team-memory",
    kind: KIND[entry.kind],
    title: entry.kind === "skill" ? `skill ${entry.key}: ${entry.title}` : entry.title,
    score,
    why,
    provenance: entry.author === undefined ? "author unknown" : `by ${entry.author}`,
    freshness: entry.suspect ? "suspect" : "fresh",
    language: "md",
    sizes: sizes(whole, brief, name),
  };
}

/** The current task and its blockers, quoted from the state file. */
async function currentState(root: string): Promise<PackItem[]> {
  const lines = quotableLines((await readTextInside(root, STATE_FILE)) ?? "");
  const start = lines.findIndex((line) => /^\s*"current_task": *"[^"]/.test(line)) + 1;
  if (start === 0) return [];
  const blockers = lines.findIndex((line, index) => index >= start && /\]/.test(line)) + 1;
  const rendition = quote(STATE_FILE, lines, start, Math.max(start, Math.min(blockers, start + 8)));
  if (rendition === undefined) return [];
  return [
    {
      id: "memory:state",
      room: "team-memory",
      kind: "state",
      title: "Current task",
      score: 0.35,
      why: "what is being worked on",
      provenance: "this machine",
      freshness: "fresh",
      language: "json",
      sizes: [rendition],
    },
  ];
}
