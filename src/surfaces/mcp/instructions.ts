import type { App } from "../../core/room-offer.ts";
import { callableTools, findTool } from "./profiles.ts";

/** A client shows all of this to its model in every session. */
const MAX_WORDS = 150;

/** What to call for what. A line is left out if its tool is not there. */
const GUIDE: readonly { readonly tool: string; readonly line: string }[] = [
  { tool: "context_pack", line: "Start of a task: context_pack with the task in a sentence." },
  {
    tool: "code_search",
    line: "A name, an error message, or where something is done: code_search. It needs no path, and nobody has to index first.",
  },
  {
    tool: "memory_search",
    line: "Why something is so, or before a decision: memory_search. Record choices with decision_add, facts with memory_add.",
  },
  { tool: "directory_context", line: "What a directory is for: directory_context." },
  { tool: "context.search", line: "Guides and notes: documents_search, then documents_get." },
];
const NO_CALL =
  "No call is needed to read a file you know or to refresh the index. If more_tools is listed, it has the rest.";

/** The guide of a server that has every room. */
export const WHOLE_GUIDE: readonly string[] = [...GUIDE.map(({ line }) => line), NO_CALL];

/** What to call first, then what the rooms say about their state. */
export async function serverInstructions(app: App): Promise<string | undefined> {
  const tools = callableTools(app.tools);
  const lines = GUIDE.flatMap(({ tool, line }) => (findTool(tools, tool) ? [line] : []));
  return instructionsOf(lines.length === 0 ? [] : [...lines, NO_CALL], await app.instructions());
}

/** At most 150 words. */
export function instructionsOf(guide: readonly string[], state: string | undefined): string | undefined {
  const left = MAX_WORDS - wordsIn(guide.join(" "));
  return [...guide, ...cutToWords(state?.split("\n") ?? [], left)].join("\n") || undefined;
}

/** Whole lines; the first that does not fit loses names from its end. */
function cutToWords(lines: readonly string[], most: number): string[] {
  const kept: string[] = [];
  let left = most;
  for (const line of lines) {
    const fitting = wordsIn(line) <= left ? line : cutList(line, left - 1);
    if (fitting === undefined) continue;
    kept.push(fitting);
    left -= wordsIn(fitting);
  }
  return kept;
}

/** Cuts only between two names, so that a quoted name stays whole. */
function cutList(line: string, most: number): string | undefined {
  const names = line.split('", "');
  while (names.length > 1 && wordsIn(names.join('", "')) > most) names.pop();
  return names.length > 1 && wordsIn(names.join('", "')) <= most ? `${names.join('", "')}" …` : undefined;
}

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0;
