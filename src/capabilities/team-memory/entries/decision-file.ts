import { oneLine } from "./check-text.ts";

const STATUSES = ["proposed", "accepted", "deprecated", "superseded"] as const;
type DecisionStatus = (typeof STATUSES)[number];
export interface DecisionText {
  readonly title: string;
  readonly date: string;
  readonly status: DecisionStatus;
  readonly author: string;
  readonly context: string;
  readonly decision: string;
  readonly consequences: string;
}

const SECTIONS = ["context", "decision", "consequences"] as const;
type DecisionSection = (typeof SECTIONS)[number];
const PLACEHOLDER = {
  context: "(no context provided)",
  decision: "(no decision recorded)",
  consequences: "(no consequences noted)",
} as const satisfies Record<DecisionSection, string>;
const HEADING = /^## +(context|decision|consequences)\s*$/i;
/** A line of text that looks like a heading, with any number of escapes before it. */
const LOOKS_LIKE_HEADING = /^\\*## +(context|decision|consequences)\s*$/i;

export const decisionFileName = (id: number, slug: string): string =>
  `${String(id).padStart(4, "0")}-${slug}.md`;

/** The id is the number at the start of the file name; the text cannot change it. */
export function idOf(key: string): number | undefined {
  const digits = /^\d{1,9}(?=-|$)/.exec(key)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

export function printDecision(id: number, text: DecisionText): string {
  const sections = SECTIONS.map((name) => {
    const title = `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`;
    return `## ${title}\n${escapeHeadings(text[name].trim()) || PLACEHOLDER[name]}\n`;
  });
  const head = `# ${String(id).padStart(4, "0")} - ${oneLine(text.title)}\n\n**Date**: ${text.date}\n**Status**: ${text.status}\n**Author**: ${oneLine(text.author)}\n`;
  return `${[head, ...sections].join("\n")}\n`;
}

/** Not a field of front matter, nor what every decision has. */
export const isProse = (line: string): boolean =>
  line.trim() !== "" &&
  !HEADING.test(line) &&
  !/^(---|name: |\*\*(Date|Status|Author)\*\*:|\(no \w+ \w+\)$)/.test(line);

/** Accepts files of people and other programs: an unknown section belongs to the text before it. */
export function parseDecision(file: string): DecisionText {
  const lines = file.split("\n");
  const first = lines.findIndex((line) => HEADING.test(line));
  const head = lines.slice(0, first === -1 ? lines.length : first);
  const titleLine = head.find((line) => line.startsWith("# "))?.slice(2) ?? "";
  const field = (name: string) =>
    head
      .find((line) => line.startsWith(`**${name}**:`))
      ?.slice(name.length + 5)
      .trim() ?? "";
  const sections = readSections(first === -1 ? [] : lines.slice(first));
  const status = field("Status").toLowerCase();
  return {
    title: titleLine.replace(/^\s*\d+ - /, "").trim() || "Untitled",
    date: field("Date"),
    // People also write `Superseded by 12`.
    status: STATUSES.find((known) => status.startsWith(known)) ?? "accepted",
    author: field("Author"),
    ...sections,
  };
}

function readSections(lines: readonly string[]): Record<DecisionSection, string> {
  const found: Record<DecisionSection, string[]> = { context: [], decision: [], consequences: [] };
  let current: DecisionSection = "context";
  for (const line of lines) {
    const heading = HEADING.exec(line)?.[1]?.toLowerCase();
    const section = SECTIONS.find((name) => name === heading);
    if (section !== undefined) current = section;
    else found[current].push(LOOKS_LIKE_HEADING.test(line) ? line.slice(1) : line);
  }
  const textOf = (name: DecisionSection) => {
    const text = found[name].join("\n").trim();
    return text === PLACEHOLDER[name] ? "" : text;
  };
  return { context: textOf("context"), decision: textOf("decision"), consequences: textOf("consequences") };
}

const escapeHeadings = (text: string): string =>
  text
    .split("\n")
    .map((line) => (LOOKS_LIKE_HEADING.test(line) ? `\\${line}` : line))
    .join("\n");
