/** Controls other than tab and line ends, direction overrides, zero-width and filler characters, tags, stray selectors. */
const INVISIBLE =
  /(?![\t\n\r])\p{Cc}|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/gu;
const ANY = new RegExp(INVISIBLE.source, "u");
/** Most texts have nothing else than what is visible in ASCII, and that is known in a tenth of the time. */
const UNUSUAL = /[^\t\n\r -~]/;
/** Emoji sequences, flags of regions, the joiners that Arabic and Indic scripts need, and marks after right-to-left letters. */
const MEANINGFUL =
  /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Emoji}\p{Extended_Pictographic}])\ufe0f|(?<=[\p{Extended_Pictographic}\p{S}])\ufe0e|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=[\u0600-\u061b\u061d-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18aa])[\u200c\u200d]|(?<=[\u1820-\u18aa])[\u180b-\u180f]|(?<=[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}])[\u200e\u200f]/gu;

/** Colours of a terminal. Without the first character, the rest would stick to a secret and hide where it begins. */
const COLOUR = /(?![\t\n\r])\p{Cc}\[[\d;:]*[mK]/gu;

/** The text without the characters that a model reads but a person cannot see, and how many were removed. */
export function stripInvisible(text: string): { readonly text: string; readonly removed: number } {
  if (!UNUSUAL.test(text)) return { text, removed: 0 };
  let removed = 0;
  const remove = () => {
    removed++;
    return "";
  };
  const visible = replaceInvisible(ANY.test(text) ? text.replace(COLOUR, remove) : text, remove);
  return { text: visible, removed };
}

/** Where the first character is that nobody sees. */
export function firstInvisible(text: string): { readonly index: number; readonly code: number } | undefined {
  let first: { readonly index: number; readonly code: number } | undefined;
  replaceInvisible(text, (character, index) => {
    first ??= { index, code: character.codePointAt(0) ?? 0 };
    return character;
  });
  return first;
}

/** Shows control and invisible characters as text, such as `\x1b`, for a terminal; line ends and tabs are kept. */
export const escapeControl = (text: string): string =>
  replaceInvisible(text, shown).replace(/\r(?!\n)/g, shown);

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

function replaceInvisible(text: string, replacement: (character: string, index: number) => string): string {
  if (!UNUSUAL.test(text) || !ANY.test(text)) return text;
  const parts: string[] = [];
  let from = 0;
  const replace = (part: string) =>
    part.replace(INVISIBLE, (character, index: number) => replacement(character, from + index));
  for (const match of text.matchAll(MEANINGFUL)) {
    parts.push(replace(text.slice(from, match.index)), match[0]);
    from = match.index + match[0].length;
  }
  parts.push(replace(text.slice(from)));
  return parts.join("");
}
