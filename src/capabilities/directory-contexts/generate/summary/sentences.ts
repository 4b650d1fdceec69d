/** Lines that only underline a title. */
const UNDERLINES = /^[ \t]*([=~^*#"'.+_-])\1{2,}[ \t]*$/gm;
/** A full stop after one of these does not end a sentence. */
const SENTENCES = /.+?(?:(?<!\b(?:vs|e\.g|i\.e|cf|resp|approx|incl))[.!?](?=\s+[\p{Lu}`"']|$)|$)/gu;

/** Text between single asterisks or underscores, in its second group. */
export const EMPHASIS = /(?<![\w*`\\])([*_])([^\s*_](?:[^*_\n]{0,80}[^\s*_])?)\1(?![\w*`])/g;

/** The first paragraph of a text, without underlines. */
export const firstParagraph = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(UNDERLINES, "")
    .trim()
    .split(/\n\s*\n/)[0] ?? "";

/** The first sentences of a paragraph that describe something. Empty if the first one does not. */
export function descriptionIn(text: string): string {
  const [first = "", second = ""] = firstSentences(text).match(SENTENCES) ?? [];
  if (!isDescription(first)) return "";
  return isAside(second.trim()) || UNFINISHED.test(second) ? first.trim() : first + second;
}

/** Whether a sentence says what something is or does, without another sentence before it. */
export const isDescription = (text: string): boolean =>
  !isAside(text) && !NEEDS_CONTEXT.test(text) && !UNFINISHED.test(text);

/** A list or an example follows. */
const UNFINISHED = /[,:(]\s*$|\b(via|using|running|as follows|like this|(the|this|following) command)\W*$/i;

const isAside = (text: string): boolean => ASIDES.some((aside) => aside.test(text));

/** The sentence goes on from one before it, or begins with a condition. */
const NEEDS_CONTEXT =
  /^\W*(it|they|these(?! are)|those|this (port|version|release)|all (are|two|three|four|five|six|of (them|these|those))|both are|he|there (is|are)|also|additionally|however|furthermore|moreover|instead|otherwise|currently|for (example|instance)|in (addition|particular|the rare|case|order)|the idea|if|when|while|since|because|by default|first|next|then|finally|before|after|once|how to)\b|\balso (contains|includes|provides|supports|has|offers|allows)\b/i;

/** Sentences that say nothing about the thing itself. */
const ASIDES: readonly RegExp[] = [
  // Questions and greetings.
  /^[^.!]*\?(\s|$)|^\W*(thanks|thank you|welcome|hello)\b/i,
  // Steps to do.
  /\bplease\b|^\W*(do not|don't|you (should|must|need|can|will|may)|make sure|ensure that|run (the|this|it|all)|it will|use (this|these|the following)|to (run|install|build|start|use|get|test|view|see|update|add|create|contribute|learn))\b/i,
  /^(npm|yarn|pnpm|pip|cargo|gem|composer|git) (i|install|add|run|require|clone|build)\b|^(install|download|clone|run)\b.*[^.!?]$/i,
  // Where to read on.
  /^\W*(see|visit|refer to|click|check out|consult|follow)\b|: https?:\S+$|https?:\S+\s.*https?:|\bbecome a sponsor\b|\bfound here\b/i,
  /^\W*(view|read|check|find|for|full|the full|documentation)\b.{0,80}\b(docs|documentation|website|homepage|wiki|here|guide)\b/i,
  // About one class.
  /^\W*((the|an?|abstract) )*(\w+ )?(base ?class|super ?class|base (type|interface))\b/i,
  // About a text, not about the code.
  /^\W*(this|the following) (guide|document|page|readme|section|article|tutorial|file|branch|example shows|shall|should|will|describes|explains|shows|is (intended|meant) to)\b/i,
  /^\W*readme\b/i,
  /^\W*this\b.*\b(sections|chapters)\W*$|\bthis file\b|\bthe (above|below)\W*$/i,
  // About people and the state of the work.
  /^\W*(original )?authors? (of|is|are)\b|^\W*(get|keep) in (contact|touch)\b|^\W*(\S+ ){1,5}(has|have|was|were) (been )?(moved|migrated|archived|superseded|replaced)\b/i,
  /^[\W_]*[Ww]e\b|\bI(?= [a-z])|\bI'(m|ve|d)\b|\bmyself\b/,
  /\b(is|are) ((developed|created|written) and )?(maintained|developed) by\b|^\W*(deps|dependencies) (needed |required )?(for|of)\b|\bparent( pom)?\W*$|\bwork[- ]in[- ]progress\b|\b(under|in) (heavy |active |early )?development\b|\bpull requests?\b|\bcontributions\b|\bCI job\b|\bAPI\b.*\bis unstable\b/i,
  /\b(copied|ported|taken|forked) from\b/i,
  // Above a list.
  /^\W*(features|limitations|requirements|prerequisites|known issues)\b[^.]*$/i,
  // A drawing.
  /(\S)\1{5}/,
  // Not filled in.
  /\$[({]|\{\{|^\W*starter template\b|^\W*this template should\b|^\W*the (normal|usual|default|recommended|easiest|simplest) (\w+ )?(way|mode|method)\b/i,
  /\b(is|are) (stored|located|found|generated) (in|at|under|by|from)\b|^\W*(note|warning|important|tip|caution|disclaimer)\b/i,
];

/** The first sentences of a paragraph on one line. */
export function firstSentences(text: string, limit = 200): string {
  const line = firstParagraph(text)
    .replace(/&(amp|lt|gt|quot|nbsp|#39|middot|mdash|ndash);/g, (_, name: string) => ENTITIES.get(name) ?? "")
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

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
  ["#39", "'"],
  ["middot", "·"],
  ["mdash", "—"],
  ["ndash", "–"],
]);

/** Cut at the end of a word, or at least not inside a character. */
export function shortened(text: string, limit = 200): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 3).replace(/\p{Surrogate}$/u, "");
  return `${cut.replace(/\s+\S*$/, "")}...`;
}
