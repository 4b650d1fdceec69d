import { z } from "zod";
import { scoreText } from "./score.ts";

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
    .describe("The next larger budget with another selection; null where all is taken"),
});
export type ResolveExplanation = z.infer<typeof ResolveExplanation>;

/** For a person: one line a document, best first. */
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
