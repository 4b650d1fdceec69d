/** Between two quoted parts of one text: `"abc" + "def"`, also over a line end. */
const JOINT = /(["'`])[ \t]{0,20}(?:\+[ \t]{0,20}\r?\n?[ \t]{0,80}|\r?\n[ \t]{0,80}\+[ \t]{0,20})\1/g;

interface JoinedText {
  readonly text: string;
  /** The offset in the original text. */
  offset(joined: number): number;
}

/** The text as the program that runs it sees it: quoted parts joined by `+` are one. `undefined` if there are none. */
export function joinedText(text: string): JoinedText | undefined {
  if (!text.includes("+")) return undefined;
  const parts: string[] = [];
  /** Where each part starts, in the joined and in the original text. */
  const starts: { readonly joined: number; readonly original: number }[] = [];
  let from = 0;
  let length = 0;
  const add = (to: number) => {
    starts.push({ joined: length, original: from });
    parts.push(text.slice(from, to));
    length += to - from;
  };
  for (const match of text.matchAll(JOINT)) {
    add(match.index);
    from = match.index + match[0].length;
  }
  if (from === 0) return undefined;
  add(text.length);
  return {
    text: parts.join(""),
    offset(joined) {
      const part = starts[partAt(starts, joined)];
      return part === undefined ? joined : part.original + joined - part.joined;
    },
  };
}

function partAt(starts: readonly { readonly joined: number }[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.joined ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
