import type { Resolution } from "./resolution.ts";
import { shortest } from "./score.ts";
import type { DocumentSelection } from "./select.ts";

/** The contract's answer: nothing but the cache, the query and the budget decides it. */
export function resolutionOf({ query, budget, terms, choices, used }: DocumentSelection): Resolution {
  const taken = choices.filter(({ isTaken }) => isTaken);
  return {
    documents: taken.map(({ ranked: { document, score, tokens, matches, total } }) => ({
      id: document.id,
      version: document.version,
      content: document.content.toString("utf8"),
      score: shortest(score),
      tokens,
      why: { query_terms: [...terms], term_matches: matches, total_words: total },
    })),
    selection: {
      query,
      budget,
      tokens_used: used,
      documents_considered: choices.length,
      documents_selected: taken.length,
      documents_excluded_by_budget: choices.length - taken.length,
    },
  };
}
