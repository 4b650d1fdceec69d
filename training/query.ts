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

/** Any other sentence as a question; undefined for what nobody would ask. */
export const asQuestion = (sentence: string, name: string, fewest: number): string | undefined => {
  const query = asQuery(sentence, name);
  return query !== undefined && wordsOf(query) >= fewest ? query : undefined;
};

/** A tag with the name or the type that follows it, and then what is said of it. */
const PARAMETER =
  /^\s*(?:[*#/]+\s*)?(?:[@\\](?:param|throws|exception)\s+(?:\{[^}]*\}\s*)?\S+(?:\s+-)?|[@\\]returns?(?:\s+\{[^}]*\})?|:(?:param|raises)\s[^:\n]*:|:returns?:|Returns:|Raises:)\s+(.+)$/gim;

/** What a doc comment says of parameters and of the result, as one question. */
export function parametersOf(doc: string, name: string): string | undefined {
  const said = [...doc.matchAll(PARAMETER)].map(([, text = ""]) => text.trim());
  const sentences = said.filter((text) => text.includes(" ")).slice(0, 3);
  return asQuestion(cleaned(sentences.join("; ")), name, 5);
}

/** The text before tags, sections and code blocks, without markup. */
function proseOf(doc: string): string {
  const lines = doc
    .split("\n")
    .map((line) => line.replace(/^\s*(\/\/[/!]?|\/\*\*?|\*\/|\*(?!\*)|#+|--\|?)\s?/, "").trim());
  const end = lines.findIndex((line) => SECTION.test(line));
  return cleaned(lines.slice(0, end < 0 ? undefined : end).join("\n"));
}

const cleaned = (text: string): string =>
  text
    .replace(/<\/?summary>|<\/?para>/g, " ")
    .replace(/<see(also)? cref="([^"]*)"\s*\/>/g, "$2")
    .replace(/\{@(?:link|code|linkplain)\s+([^}]*)\}/g, "$1")
    .replace(/\[`?([^\]`]*)`?\](\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replace(/<\/?[a-z][^>]*>/gi, " ")
    .replace(/`+/g, "")
    .trim();

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
  // A pattern for each name is what takes the time, and few sentences hold the name.
  const nameless = name !== "" && sentence.includes(name) ? withoutName(sentence, name) : sentence;
  const text = nameless
    .replace(/\s+/g, " ")
    .replace(/^[\s:,;.–-]+|[\s:,;–-]+$/g, "")
    .trim();
  const count = wordsOf(text);
  if (count < FEWEST_WORDS || count > MOST_WORDS || NO_QUESTION.test(text)) return undefined;
  const foreign = text.replace(/[\x20-\x7e]/g, "").length;
  return foreign > text.length * 0.1 ? undefined : text.slice(0, MAX_QUERY);
}

function withoutName(sentence: string, name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const first = sentence.replace(new RegExp(`^(?:\\(?\\*?\\w+\\)?\\.)?${escaped}(?:\\(\\))?(?!\\w)\\s*`), "");
  const isSeveralWords = /[a-z0-9][A-Z]|[a-z]_[a-z]/.test(name);
  return isSeveralWords
    ? first.replace(new RegExp(`(^|[^\\w])${escaped}(?:\\(\\))?(?!\\w)`, "g"), "$1")
    : first;
}

const wordsOf = (text: string): number => (text.match(/[A-Za-z][A-Za-z0-9'_-]*|\d+/g) ?? []).length;
