export interface MarkdownLine {
  readonly text: string;
  /** A line of fenced code, or a fence. */
  readonly isCode: boolean;
}

/** The lines of a Markdown text, with or without code. `unclosed` is the fence that would close code still open at the end. */
export function markdownLines(text: string): {
  readonly lines: readonly MarkdownLine[];
  readonly unclosed: string | undefined;
} {
  let fence: string | undefined;
  const lines = text.split("\n").map((line) => {
    const before = fence;
    const [, marks = "", rest = ""] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) fence = marks || undefined;
    else if (marks.startsWith(fence) && rest.trim() === "") fence = undefined;
    return { text: line, isCode: before !== undefined || fence !== undefined };
  });
  return { lines, unclosed: fence };
}
