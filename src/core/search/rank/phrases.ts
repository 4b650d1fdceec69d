import type { RankQuestion } from "./question.ts";

const LEAST_WORDS = 3;
const QUESTION = /^(?:how|what|where|when|which|who|why|does|do|is|are|can|should|find|show)\b|\?\s*$/i;

/**
 * What of a question may stand in the code as it is written: its literals, or all of it if it reads like a message and
 * not like a question.
 */
export function literalParts(text: string, { isName, literals }: RankQuestion): string[] {
  if (isName) return [];
  const whole = text.trim();
  const isMessage =
    whole.split(/\s+/).length >= LEAST_WORDS && !QUESTION.test(whole) && literals.length === 0;
  return isMessage ? [whole] : [...literals];
}

/** Case counts only if a part has an upper-case letter inside; runs of blanks are one. */
export function holdsLiteral(text: string, parts: readonly string[]): boolean {
  const plain = text.replace(/\s+/g, " ");
  const lower = plain.toLowerCase();
  return parts.some((part) => lower.includes(part.replace(/\s+/g, " ").toLowerCase()));
}
