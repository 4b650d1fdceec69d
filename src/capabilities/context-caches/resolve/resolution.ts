import { z } from "zod";
import { scoreText, shortest } from "./score.ts";
import type { DocumentSelection } from "./select.ts";

/** The contract's answer to context.resolve, in the order of its keys. */
export const Resolution = z.object({
  documents: z.array(
    z.object({
      id: z.string(),
      version: z.string(),
      content: z.string(),
      score: z.number().min(0).max(1),
      tokens: z.int().min(0),
      why: z.object({
        query_terms: z.array(z.string()),
        term_matches: z.int().min(0),
        total_words: z.int().min(0),
      }),
    }),
  ),
  selection: z.object({
    query: z.string(),
    budget: z.int().min(0),
    tokens_used: z.int().min(0),
    documents_considered: z.int().min(0),
    documents_selected: z.int().min(0),
    documents_excluded_by_budget: z.int().min(0),
  }),
});
export type Resolution = z.infer<typeof Resolution>;

/** The contract's answer. It depends only on the cache, the query and the budget. */
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

/** The contract's bytes: scores as 32-bit floats with a fraction, and a final newline. */
export function resolutionText(resolution: Resolution, format: "json" | "pretty" = "json"): string {
  const text = JSON.stringify(
    resolution,
    (key: string, value: unknown) =>
      key === "score" && typeof value === "number" ? scoreText(value) : value,
    format === "pretty" ? 2 : undefined,
  );
  // Inside a string a quotation mark has a backslash before it, so only our own keys match.
  return `${text.replace(/("score": ?)"([^"]+)"/g, "$1$2")}\n`;
}
