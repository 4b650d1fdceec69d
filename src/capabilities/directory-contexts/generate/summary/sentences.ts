/** Lines that only underline a title. */
const UNDERLINES = /^[ \t]*([=~^*#"'.+_-])\1{2,}[ \t]*$/gm;
/** A full stop after one of these does not end a sentence. */
const SENTENCES = /.+?(?:(?<!\b(?:vs|e\.g|i\.e|cf|resp|approx|incl))[.!?](?=\s+[\p{Lu}`"']|$)|$)/gu;

/** The first paragraph of a text, without underlines. */
export const firstParagraph = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(UNDERLINES, "")
    .trim()
    .split(/\n\s*\n/)[0] ?? "";

/** The first sentences of a paragraph on one line. */
export function firstSentences(text: string, limit = 200): string {
  const line = firstParagraph(text)
    .replace(/\s+/g, " ")
    .replace(/\s[-=~*]{4,}$/, "")
    .trim();
  if (line.length < 6) return "";
  let taken = "";
  for (const sentence of (line.match(SENTENCES) ?? [line]).slice(0, 2)) {
    if (taken !== "" && taken.length + sentence.length > limit) break;
    taken += sentence;
  }
  return shortened(taken.trim(), limit);
}

/** Cut at the end of a word, or at least not inside a character. */
export function shortened(text: string, limit = 200): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 3).replace(/\p{Surrogate}$/u, "");
  return `${cut.replace(/\s+\S*$/, "")}...`;
}
