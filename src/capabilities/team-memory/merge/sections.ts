/** A stretch of a Markdown file: what stands before the first `## ` heading, or one heading with its text. */
export interface Section {
  /** The heading as written; `""` for the text before the first. */
  readonly heading: string;
  /** With the line of the heading. */
  readonly text: string;
}

/** Cuts at `## ` headings outside code fences. The texts joined give the input back. */
export function splitSections(text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  let fence: string | undefined;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && /^## +\S/.test(line))
      sections.push({ heading: line.slice(3).trim(), lines: [] });
    sections.at(-1)?.lines.push(line);
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join("") }))
    .filter((section) => section.text !== "");
}
