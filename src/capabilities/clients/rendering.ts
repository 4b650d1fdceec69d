import { stripInvisible } from "../../core/hygiene/invisible.ts";
import type { SharedDecision, SharedText } from "./memory-for-clients.ts";

/** Codex reads 32 KiB of instructions in all; this leaves room for the user's own. */
const MOST_BYTES = 24 * 1024;

/** The public entries that go into files. */
export interface Shared {
  readonly conventions: readonly SharedText[];
  readonly knowledge: readonly SharedText[];
  readonly decisions: readonly SharedDecision[];
}

/** The body of a block: conventions first, then knowledge while there is room, then decisions by title. */
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
    if (named.length > 0) parts.push(`Too long to stand here, ask for them by key: ${named.join(", ")}`, "");
  };
  section("Conventions", conventions);
  section("Knowledge", knowledge);
  if (decisions.length > 0) {
    parts.push("### Decisions", "");
    for (const { id, title } of decisions) parts.push(`- ${String(id).padStart(4, "0")} ${oneLine(title)}`);
    parts.push("");
  }
  return parts.join("\n");
}

const renderEntry = ({ key, content }: SharedText): string =>
  `#### ${oneLine(key)}\n\n${lowerHeadings(visible(content)).trim()}\n`;

export const visible = (text: string): string => stripInvisible(text).text.replaceAll(/\r\n?/g, "\n");
export const oneLine = (text: string): string => visible(text).replaceAll(/\s+/g, " ").trim();

/** Headings of an entry come below its own, except inside code. */
function lowerHeadings(text: string): string {
  let isCode = false;
  return text
    .split("\n")
    .map((line) => {
      if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
      return isCode
        ? line
        : line.replace(/^(#{1,6})(?= )/, (marks) => "#".repeat(Math.min(6, marks.length + 4)));
    })
    .join("\n");
}
