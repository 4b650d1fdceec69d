import type { ResolveExplanation } from "./explanation.ts";
import { shortest } from "./score.ts";
import type { DocumentChoice, DocumentSelection } from "./select.ts";

/** Why a query within a budget is answered as it is. */
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

/**
 * Below this budget every choice falls as before; at it, the first document passed over that needs no more is taken.
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
