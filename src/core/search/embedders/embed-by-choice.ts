import { z } from "zod";
import { DomainError } from "../../errors.ts";
import type { Embeddings } from "./embeddings.ts";

/** What came of embedding with the model that the user chose. */
export const ChosenEmbedding = z.object({
  model: z.string(),
  problem: z
    .string()
    .optional()
    .describe("Why it has not embedded everything; until then the quick model answers"),
});
export type ChosenEmbedding = z.output<typeof ChosenEmbedding>;

/**
 * Runs `embed` for a person who waits, if the user chose a model. A server that is down is asked once, not for half a minute, and
 * is a problem to report: the quick model has embedded everything already.
 */
export async function embedByChoice(
  embeddings: Embeddings,
  embed: () => Promise<unknown>,
): Promise<ChosenEmbedding | undefined> {
  const model = embeddings.chosenId;
  if (model === undefined) return undefined;
  try {
    if (await embeddings.better()) {
      await embed();
      return { model };
    }
    const problem = embeddings.problems().find((known) => known.startsWith(model));
    return { model, problem: problem ?? `${model} cannot be used.` };
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "unavailable")
      return { model, problem: thrown.message };
    throw thrown;
  }
}

export const showChosenEmbedding = ({ model, problem }: ChosenEmbedding): string =>
  problem === undefined ? `Embedded by ${model}.` : `The quick model answers for now. ${problem}`;
