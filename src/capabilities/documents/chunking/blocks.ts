/** A range of a text that is kept together. */
export interface TextPiece {
  readonly start: number;
  readonly end: number;
  readonly heading?: { readonly level: number; readonly text: string } | undefined;
}

/** Paragraphs, headings and whole fenced blocks. */
export function blocksOf(text: string): TextPiece[] {
  const blocks: TextPiece[] = [];
  let open: { start: number; end: number } | undefined;
  let fence: string | undefined;
  const close = () => {
    if (open) blocks.push(open);
    open = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) : null;
    if (fence === undefined && line.trim() === "") close();
    else if (heading) {
      close();
      const [, marks = "", title = ""] = heading;
      const name = title.replace(/\s+#+\s*$/, "").trim();
      blocks.push({ start: at, end, heading: { level: marks.length, text: name } });
    } else open = { start: open?.start ?? at, end };
    if (mark !== undefined) fence = nextFence(fence, mark);
    at = end + 1;
  }
  close();
  return blocks;
}

function nextFence(fence: string | undefined, mark: string): string | undefined {
  if (fence === undefined) return mark;
  return mark.startsWith(fence) ? undefined : fence;
}
