import { byCodeUnit } from "../order.ts";
import { INSTRUCTION_FORMS } from "./instruction-forms.ts";
import { lineCounter } from "./lines.ts";

interface FlaggedLine {
  /** From 1. */
  readonly line: number;
  readonly form: string;
}

/** Lines that look like orders to an agent. The content is not changed; the caller tells the reader that it is data. */
export function flagInstructions(text: string): FlaggedLine[] {
  // Lower-casing may change offsets, but never lines.
  const low = text.toLowerCase();
  const found = INSTRUCTION_FORMS.flatMap(({ form, anchors, pattern }) => {
    if (!anchors.some((anchor) => low.includes(anchor))) return [];
    const lineAt = lineCounter(low);
    // A match that begins with blank lines belongs to the line of its first letter.
    const lines = [...low.matchAll(pattern)].map(({ index, 0: match }) =>
      lineAt(index + match.length - match.trimStart().length),
    );
    return [...new Set(lines)].map((line) => ({ line, form }));
  });
  return found.sort((a, b) => a.line - b.line || byCodeUnit(a.form, b.form));
}
