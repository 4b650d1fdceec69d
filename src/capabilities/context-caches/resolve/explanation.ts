import { z } from "zod";
import { scoreText, shortest } from "./score.ts";
import type { DocumentChoice, DocumentSelection } from "./select.ts";

const Explained = z.object({
  rank: z.int().min(1),
  id: z.string(),
  score: z.number(),
  tokens: z.int(),
  term_matches: z.int(),
  total_words: z.int(),
});

export const ResolveExplanation = z.object({
  query: z.string(),
  budget: z.int(),
  tokens_used: z.int(),
  terms: z.array(z.string()).describe("The query's different terms"),
  taken: z.array(Explained),
  left_out: z.array(Explained.extend({ tokens_left: z.int(), why: z.string() })),
  next_budget: z
    .int()
    .nullable()
    .describe("The next larger budget with another selection; null if all is taken"),
});
export type ResolveExplanation = z.infer<typeof ResolveExplanation>;

/** Explains why the selection for a query and budget is as it is. */
export function explanationOf(selection: DocumentSelection): ResolveExplanation {
  const { query, budget } = selection;
  const ranked = selection.choices.map((choice, place) => ({ choice, shown: shown(choice, place + 1) }));
  return {
    query,
    budget,
    tokens_used: selection.used,
    terms: [...new Set(selection.terms)],
    taken: ranked.filter(({ choice }) => choice.isTaken).map((each) => each.shown),
    left_out: ranked
      .filter(({ choice }) => !choice.isTaken)
      .map(({ choice, shown: base }) => ({
        ...base,
        tokens_left: budget - choice.usedBefore,
        why: reasonOf(choice, budget),
      })),
    next_budget: nextBudget(selection),
  };
}

/** For people: one line for each document, best first. */
export function showExplanation(explanation: ResolveExplanation): string {
  const { query, terms, budget, tokens_used, taken, left_out, next_budget } = explanation;
  const line = ({
    rank,
    id,
    score,
    tokens,
    term_matches,
    total_words,
  }: ResolveExplanation["taken"][number]) =>
    `  ${rank}. ${id}  score ${scoreText(score)} (${term_matches} of ${total_words} words)  ${tokens} tokens`;
  return [
    `Query: ${query}`,
    `Terms: ${terms.join(" ") || "none, so every score is 0.0"}`,
    `Taken: ${taken.length} of ${taken.length + left_out.length} documents, ${tokens_used} of ${budget} tokens`,
    ...taken.map(line),
    `Left out: ${left_out.length}`,
    ...left_out.map((each) => `${line(each)}: ${each.why}`),
    next_budget === null
      ? "No larger budget changes this selection."
      : `The selection changes at a budget of ${next_budget}.`,
  ].join("\n");
}

/**
 * The smallest larger budget with another selection: the least that a skipped document would have needed.
 */
function nextBudget({ choices, budget }: DocumentSelection): number | null {
  let least = Number.POSITIVE_INFINITY;
  for (const { isTaken, usedBefore, ranked } of choices) {
    if (!isTaken) least = Math.min(least, usedBefore + ranked.tokens);
  }
  return least === Number.POSITIVE_INFINITY ? null : Math.max(least, budget + 1);
}

const shown = ({ ranked: { document, score, tokens, matches, total } }: DocumentChoice, rank: number) => ({
  rank,
  id: document.id,
  score: shortest(score),
  tokens,
  term_matches: matches,
  total_words: total,
});

const reasonOf = ({ ranked, usedBefore }: DocumentChoice, budget: number): string =>
  budget === 0
    ? "a budget of 0 takes nothing"
    : `needs ${ranked.tokens} tokens, ${budget - usedBefore} were left at its turn`;
