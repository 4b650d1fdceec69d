import type { Kind, PackItem, PackRequest, PackSource } from "../../capabilities/packs/index.ts";
import type { PublicEntry, TeamMemory } from "../../capabilities/team-memory/index.ts";
import { DomainError } from "../../core/errors.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import { askedByCode, BY_CODE, type FoundCode } from "./code.ts";
import { quote, sectionsOf, sizes } from "./quote.ts";
import type { LoadRanker } from "./ranker.ts";

const KIND = {
  knowledge: "knowledge",
  convention: "convention",
  decision: "decision",
  skill: "knowledge",
} as const satisfies Record<PublicEntry["kind"], Kind>;
const LEAST = 0.1;
/** A convention holds everywhere, so also where its words do not match. */
const HOLDS_ANYWAY = 0.15;
const NONE = { reason: "no entries yet", command: 'contextful memory knowledge add KEY "TEXT"' };
const STATE_FILE = ".context-teleport/state/active.json";

/** What the team settled and knows, entry by entry; only what everybody in the team may read, and our own state. */
export const memorySource = (memory: TeamMemory, foundCode: FoundCode, ranker: LoadRanker): PackSource => ({
  room: "team-memory",
  async gather(request, signal) {
    const entries = await entriesOf(memory);
    const code = entries.length === 0 ? "" : await askedByCode(foundCode, request, signal);
    const found = await itemsOf(entries, { request, code }, ranker);
    const items = [...found, ...(await currentState(request.root))];
    const state = sha256(JSON.stringify([entries.map(({ file, text }) => [file, text]), items]));
    return { items, state, ...(entries.length === 0 && { empty: NONE }) };
  },
});

/** Where there is neither a store nor a repository there is nothing to give, and that is no failure of a pack. */
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
  { request, code }: { readonly request: PackRequest; readonly code: string },
  ranker: LoadRanker,
): Promise<PackItem[]> {
  const texts = entries.map(({ title, key, text }) => ({ title: `${title} ${key}`, text }));
  const rank = await ranker();
  const byTask = await rank(request.task, texts);
  const byCode = await rank(code, texts);
  return entries.flatMap((entry, index) => {
    const touched = request.changes.find(({ path }) => speaksOf(entry, path))?.path;
    const [direct, indirect] = [byTask[index] ?? 0, BY_CODE * (byCode[index] ?? 0)];
    const best = Math.max(direct, indirect, touched === undefined ? 0 : 0.7);
    const score = entry.kind === "convention" ? HOLDS_ANYWAY + (1 - HOLDS_ANYWAY) * best : best;
    if (score < LEAST) return [];
    const why = direct >= indirect ? "bears on the task" : "bears on the code of the task";
    return [itemOf(entry, score, touched === undefined ? why : `speaks of ${touched}`)];
  });
}

const speaksOf = (entry: PublicEntry, path: string): boolean =>
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

/** What is being worked on, quoted from its file: the task and what blocks it. */
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
