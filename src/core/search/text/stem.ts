/**
 * A light stem: plurals, -ing, -ed and a final e go, so `parse`, `parses`, `parsed` and `parsing` meet. It is always
 * indexed beside the exact form, so that it can only add finds.
 */
export function stem(word: string): string {
  if (word.length < 4) return word;
  const singular = withoutPlural(word);
  const base = withoutEnding(singular);
  return base.length >= 4 && base.endsWith("e") ? base.slice(0, -1) : base;
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutEnding(word: string): string {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  const length = word.endsWith("ing") ? 3 : word.endsWith("ed") ? 2 : 0;
  const rest = word.slice(0, word.length - length);
  if (length === 0 || rest.length < 3 || !/[aeiouy]/.test(rest)) return word;
  return /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}
