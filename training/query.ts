const NO_QUESTION =
  /copyright|licen[sc]ed? |spdx|todo|fixme|xxx|eslint|nolint|deprecated|https?:|@(internal|ignore|private|hidden|inheritdoc)|\{@inheritdoc|istanbul|prettier-ignore|non-javadoc|auto-?generated|^see |^example|^usage|^-+|^\W*$|^test |^tests |^vim:|all rights reserved|redistribution/i;
const SECTION =
  /^(@\w+|\\\w+|:(param|return|raises|type|rtype|arg)|#+ |```|~~~|<pre|>>>|Args:|Arguments:|Parameters:?$|Returns:|Raises:|Yields:|Attributes:|Examples?:?$|Usage:|Note:|-{3,}|={3,}|\.\. \w+::)/i;
const FEWEST_WORDS = 3;
const MOST_WORDS = 60;
const MAX_QUERY = 400;
const MAX_REST = 500;

export interface DocQuestion {
  readonly query: string;
  readonly rest: string;
  /** A later sentence that can stand alone: closer to how people ask who do not know the code's words. */
  readonly second?: string;
}

/** The first sentence of a doc comment as a question, without the name of what it documents. */
export function queryOf(doc: string, name: string): DocQuestion | undefined {
  const paragraphs = proseOf(doc).split(/\n\s*\n/);
  const sentences = paragraphs.flatMap((paragraph) => sentencesOf(paragraph.replace(/\s+/g, " ").trim()));
  const query = asQuery(sentences[0] ?? "", name);
  if (query === undefined) return undefined;
  const rest = sentences.slice(1).join(" ").slice(0, MAX_REST);
  const second = sentences
    .slice(1, 4)
    .map((sentence) => asQuery(sentence, name))
    .find((text) => text !== undefined && wordsOf(text) >= 6);
  return { query, rest, ...(second !== undefined && { second }) };
}

/** The text before tags, sections and code blocks, without markup. */
function proseOf(doc: string): string {
  const lines = doc
    .split("\n")
    .map((line) => line.replace(/^\s*(\/\/[/!]?|\/\*\*?|\*\/|\*(?!\*)|#+|--\|?)\s?/, "").trim());
  const end = lines.findIndex((line) => SECTION.test(line));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join("\n")
    .replace(/<\/?summary>|<\/?para>/g, " ")
    .replace(/<see(also)? cref="([^"]*)"\s*\/>/g, "$2")
    .replace(/\{@(?:link|code|linkplain)\s+([^}]*)\}/g, "$1")
    .replace(/\[`?([^\]`]*)`?\](\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replace(/<\/?[a-z][^>]*>/gi, " ")
    .replace(/`+/g, "")
    .trim();
}

function sentencesOf(text: string): string[] {
  const masked = text.replace(/\b(e\.g|i\.e|etc|vs)\./g, (short) => short.replaceAll(".", "_"));
  const sentences: string[] = [];
  let from = 0;
  for (const { index } of masked.matchAll(/[.!?](?=\s+[^a-z\s]|$)/g)) {
    if (wordsOf(text.slice(from, index)) < 5 && index < text.length - 1) continue;
    sentences.push(text.slice(from, index).trim());
    from = index + 1;
  }
  const last = text.slice(from).trim();
  return last === "" ? sentences : [...sentences, last];
}

function asQuery(sentence: string, name: string): string | undefined {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isSeveralWords = /[a-z0-9][A-Z]|[a-z]_[a-z]/.test(name);
  const text = sentence
    .replace(new RegExp(`^(?:\\(?\\*?\\w+\\)?\\.)?${escaped}(?:\\(\\))?(?!\\w)\\s*`), "")
    .replace(isSeveralWords ? new RegExp(`(^|[^\\w])${escaped}(?:\\(\\))?(?!\\w)`, "g") : /$^/, "$1")
    .replace(/\s+/g, " ")
    .replace(/^[\s:,;.–-]+|[\s:,;–-]+$/g, "")
    .trim();
  const count = wordsOf(text);
  const foreign = text.replace(/[\x20-\x7e]/g, "").length;
  if (count < FEWEST_WORDS || count > MOST_WORDS || NO_QUESTION.test(text) || foreign > text.length * 0.1)
    return undefined;
  return text.slice(0, MAX_QUERY);
}

const wordsOf = (text: string): number => (text.match(/[A-Za-z][A-Za-z0-9'_-]*|\d+/g) ?? []).length;
