/** A stretch of a Markdown file: what stands before the first `## ` heading, or one heading with its text. */
export interface Section {
  /** Heading in lower case and its occurrence, so that two `## Notes` stay two; `""` for the preamble. */
  readonly key: string;
  /** The heading as written, for messages. */
  readonly heading: string;
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
  return withKeys(sections).filter((section) => section.text !== "");
}

function withKeys(sections: readonly { heading: string; lines: readonly string[] }[]): Section[] {
  const seen = new Map<string, number>();
  return sections.map(({ heading, lines }) => {
    const name = heading.toLowerCase();
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return { key: heading === "" ? "" : `${name}\0${occurrence}`, heading, text: lines.join("") };
  });
}
