import { once } from "../lazy.ts";

/** Longer stretches without a break take the tokenizer time that grows with their square. */
const LONGEST_RUN = 400;
const PIECE = 20_000;

/** Counts real tokens as o200k models do. Loaded on first use: its table is large. */
export const loadTokenizer = once(async (): Promise<(text: string) => number> => {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return (text) => {
    let count = 0;
    for (const piece of pieces(text)) count += countTokens(piece, plain);
    return count;
  };
});

/** Cuts a text where no token crosses, before a line's first letter; only texts without any are cut as they come. */
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
  // Searched by itself: in the whole text a search backwards would run to its beginning, for every piece anew.
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
