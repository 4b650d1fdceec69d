import { once } from "../lazy.ts";

/** The tokenizer needs quadratic time for text without whitespace, so longer runs are cut. */
const LONGEST_RUN = 400;
const PIECE = 20_000;

/** Counts tokens as o200k models do. Loaded on first use: its table is large. */
export const loadTokenizer = once(async (): Promise<(text: string) => number> => {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return (text) => {
    let count = 0;
    for (const piece of pieces(text)) count += countTokens(piece, plain);
    return count;
  };
});

/** Cuts a text where no token crosses: before a line's first letter. A text without such a place is cut anywhere. */
function* pieces(text: string): Generator<string> {
  if (text.length <= LONGEST_RUN) {
    yield text;
    return;
  }
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + PIECE);
    const cut = end === text.length ? end : lastBreak(text, at, end);
    yield* shortRuns(text.slice(at, cut));
    at = cut;
  }
}

function lastBreak(text: string, from: number, end: number): number {
  // Searches a slice: in the whole text, each backward search could run to the beginning of the text.
  const piece = text.slice(from, end + 1);
  for (let at = piece.lastIndexOf("\n", end - from - 1); at >= 0; at = piece.lastIndexOf("\n", at - 1)) {
    if (/[^\s/]/.test(piece[at + 1] ?? " ")) return from + at + 1;
    if (at === 0) break;
  }
  const space = piece.lastIndexOf(" ");
  return space > 0 ? from + space : end;
}

const LONG_RUN = new RegExp(`[^\\s]{${LONGEST_RUN}}`, "g");

function* shortRuns(text: string): Generator<string> {
  let from = 0;
  for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
    yield text.slice(from, index + run.length);
    from = index + run.length;
  }
  if (from < text.length) yield text.slice(from);
}
