/** The words of an identifier or a text, in lower case: `parseURLPath` gives parse, url, path. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words as a person writes them: abbreviations in capitals. */
export const readable = (words: readonly string[]): string =>
  words
    .join(" ")
    .replaceAll("x path", "xpath")
    .split(" ")
    // `http2` is `HTTP2`.
    .map((word) => ABBREVIATIONS.get(word) ?? word.replace(/^[a-z]+(?=\d$)/, readableWord))
    .join(" ");

const readableWord = (word: string): string => ABBREVIATIONS.get(word) ?? word;

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ...(
    "acl acme amqp api asgi ast aws cli cors cpu crud css csrf csv dns dom esm fifo ftp gcp grpc gui html http https id io ip jdbc jms json jsx jwk jwt " +
    "ldap lru lz4 md5 orm os pdf pki php rest rpc rss s3 sdk sha smtp sns sql sqs sse ssh ssl svg tcp tls toml tsx ttl ui uri url utf uuid vfs wsgi xml yaml"
  )
    .split(" ")
    .map((word) => [word, word.toUpperCase()] as const),
  ["ws", "WebSocket"],
  ["graphql", "GraphQL"],
  ["oauth", "OAuth"],
  ["xpath", "XPath"],
]);

export const singularOf = (word: string): string =>
  /(ss|us|is)$/.test(word)
    ? word
    : word
        .replace(/ies$/, "y")
        .replace(/(ss|sh|ch|x)es$/, "$1")
        .replace(/s$/, "");

export function pluralOf(word: string): string {
  if (/(ware|data|info|[^s]s)$/.test(word)) return word;
  if (ABBREVIATIONS.has(word)) return `${ABBREVIATIONS.get(word)}s`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** `a, b and c`. */
export const enumerated = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Whether a text has words that the names do not have and that do not fit every directory: a short text two, a sentence one. */
export function sayingMoreThan(names: readonly string[]): (text: string) => boolean {
  const known = names.flatMap((name) => [...wordsOf(name), ...tokensOf(name)]);
  const isKnown = (word: string) =>
    known.some((name) => name === word || (name.length > 2 && startAlike(name, word)) || hasPart(name, word));
  return (text) => {
    const words = tokensOf(text);
    const added = words.filter((word) => word.length > 1 && !FITS_ALL.has(word) && !isKnown(word));
    return new Set(added).size >= (words.length < SENTENCE ? 2 : 1);
  };
}

const SENTENCE = 4;

/** Without splitting a name such as `JUnit`. */
const tokensOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** As `testsuite` has `suite`. */
const hasPart = (name: string, word: string) => word.length > 3 && name.includes(word);

/** As `util` and `utilities`, or `app` and `application` do. */
const startAlike = (a: string, b: string) => b.startsWith(a.slice(0, 4)) || a.startsWith(b.slice(0, 4));

const FITS_ALL: ReadonlySet<string> = new Set(
  (
    "the an and or of for to in on at by with from as is are was be it its this that these all any some other more such only also " +
    "module modules component components crate crates two package packages library code source sources file files directory folder class classes type types function functions method methods " +
    "object objects implementation implementations implements definition definitions utility utilities helper helpers tool tools common shared general " +
    "generic various different functionality new about information info details misc miscellaneous main core base basic support stuff thing things contains provides bootstrap built internal public project derived tests use uses used using intended internally define defines defined " +
    "everything each every related concerning regarding collection variety set implement internals feature features handling"
  ).split(" "),
);
