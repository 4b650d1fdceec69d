import { stripInvisible } from "../../../core/hygiene/invisible.ts";
import { type MarkdownLine, markdownLines } from "../import/markdown-lines.ts";
import type { SharedDecision, SharedText } from "../memory-for-clients.ts";

/** Codex reads at most 32 KiB of instructions; this leaves space for the user's own. */
const MOST_BYTES = 24 * 1024;
const SPAN = "(?<!`)(`+)(?!`)(?:.*?[^`])\\1(?!`)";
const MARK = "(?<![\\p{L}\\p{N}])@(?=[~./\\\\]|[^\\s`]*[./\\\\][^\\s`])";
const CODE = new RegExp(SPAN, "gu");
const ANY_MARK = new RegExp(MARK, "gu");
const CODE_OR_MARK = new RegExp(`${SPAN}|${MARK}`, "gu");

/** The public entries that go into files. */
export interface Shared {
  readonly conventions: readonly SharedText[];
  readonly knowledge: readonly SharedText[];
  readonly decisions: readonly SharedDecision[];
}

/** The body of our block: conventions, then as much knowledge as fits, then the titles of decisions. */
export function renderShared({ conventions, knowledge, decisions }: Shared): string | undefined {
  if (conventions.length + knowledge.length + decisions.length === 0) return undefined;
  const parts = [
    "## Team context",
    "",
    "Written by `contextful export` from the team's memory; change it there.",
    "",
  ];
  let left = MOST_BYTES;
  const section = (title: string, entries: readonly SharedText[]) => {
    if (entries.length === 0) return;
    parts.push(`### ${title}`, "");
    const named: string[] = [];
    for (const entry of entries) {
      const text = renderEntry(entry);
      const bytes = Buffer.byteLength(text);
      if (bytes > left) named.push(oneLine(entry.key));
      else {
        parts.push(text);
        left -= bytes;
      }
    }
    if (named.length > 0) parts.push(`Too long for this file; ask for them by key: ${named.join(", ")}`, "");
  };
  section("Conventions", conventions);
  section("Knowledge", knowledge);
  if (decisions.length > 0) {
    parts.push("### Decisions", "");
    for (const { id, title } of decisions)
      parts.push(`- ${String(id).padStart(4, "0")} ${withoutIncludes(oneLine(title))}`);
    parts.push("");
  }
  return parts.join("\n");
}

function renderEntry({ key, content }: SharedText): string {
  const { lines, unclosed } = markdownLines(visible(content).trim());
  // Inside HTML fences do not count, so apparent code may be text.
  const hasHtml = lines.some(({ text }) => /^\s*<[!?/a-z]/i.test(text));
  const text = runsOf(lines).map(({ isCode, lines: run }) => {
    const safe = isCode && !hasHtml ? run : withoutIncludes(run);
    return isCode ? safe : lowered(safe);
  });
  return `#### ${oneLine(key)}\n\n${[...text, ...(unclosed ? [unclosed] : [])].join("\n")}\n`;
}

export const visible = (text: string): string => stripInvisible(text).text.replaceAll(/\r\n?/g, "\n");
export const oneLine = (text: string): string => visible(text).replaceAll(/\s+/g, " ").trim();

/** Joins neighbouring lines of the same kind: code or not code. */
function runsOf(lines: readonly MarkdownLine[]): { isCode: boolean; lines: string }[] {
  const runs: { isCode: boolean; lines: string }[] = [];
  for (const { text, isCode } of lines) {
    const last = runs.at(-1);
    if (last?.isCode === isCode) last.lines += `\n${text}`;
    else runs.push({ isCode, lines: text });
  }
  return runs;
}

/** Puts the headings of an entry below its own heading. */
const lowered = (text: string): string =>
  text.replaceAll(/^(#{1,6})(?= )/gm, (marks) => "#".repeat(Math.min(6, marks.length + 4)));

/** Clients expand `@path` outside code to the contents of any file; a space after `@` prevents it. */
const withoutIncludes = (text: string): string =>
  text
    .split(/(\n\s*\n)/)
    .map((paragraph) =>
      isClear(paragraph)
        ? paragraph.replaceAll(CODE_OR_MARK, (found) => (found === "@" ? "@ " : found))
        : paragraph.replaceAll(ANY_MARK, "@ "),
    )
    .join("");

/** Whether every backtick has its partner on its line; else clients differ about what is code. */
const isClear = (paragraph: string): boolean =>
  !paragraph.includes("\\`") && !paragraph.replaceAll(CODE, "").includes("`");
