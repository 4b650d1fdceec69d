import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { isInside } from "../../../core/files/allowed-roots.ts";
import { AGENTS_FILE } from "../schema.ts";

const START = "<!-- dotcontext:agents-section -->";
const END = "<!-- dotcontext:agents-section-end -->";

interface AgentsRow {
  readonly scope: string;
  readonly summary: string;
}
export type AgentsPlan =
  | {
      /** The file to write: AGENTS.md itself, or the target of its link inside the project. */
      readonly file: string;
      readonly before: string | undefined;
      readonly after: string;
      readonly refusal?: undefined;
    }
  /** Why the file is left alone. */
  | { readonly refusal: string };

/** More rows than this cost every agent too much in every session. */
const MAX_ROWS = 24;

/** Whether the project has asked for the section before. */
export function hasAgentsSection(root: string): boolean {
  const file = targetOf(root);
  const read = file === undefined ? undefined : textOf(file);
  // A file that cannot be read is reported when it is planned.
  return read !== undefined && ("refusal" in read || read.text?.includes(START) === true);
}

/** What AGENTS.md should say. */
export function planAgentsFile(root: string, rows: readonly AgentsRow[]): AgentsPlan {
  const file = targetOf(root);
  if (file === undefined) return { refusal: "it is a link that leaves the project, or no file" };
  const read = textOf(file);
  if ("refusal" in read) return read;
  const after = withSection(read.text, sectionOf(rows));
  return after === undefined
    ? { refusal: `its section has no end; add the line ${END}` }
    : { file, before: read.text, after };
}

/** What people wrote. The section repeats summaries. */
export function withoutSection(text: string): string {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  return start < 0 ? text : text.slice(0, start) + (end < start ? "" : text.slice(end + END.length));
}

/** Replaces the managed section between its markers, or appends it; `undefined` if its end marker is missing. */
export function withSection(before: string | undefined, section: string): string | undefined {
  if (before === undefined || before.trim() === "") return `${section}\n`;
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const lines = section.replaceAll("\n", lineEnd);
  const start = before.indexOf(START);
  if (start < 0) return `${before.replace(/(?<![\r\n])[\r\n]+$/, "")}${lineEnd}${lineEnd}${lines}${lineEnd}`;
  const end = before.indexOf(END, start);
  const next = before.indexOf(START, start + START.length);
  if (end < 0 || (next >= 0 && next < end)) return undefined;
  return before.slice(0, start) + lines + before.slice(end + END.length);
}

/** The rows must be sorted, the root first. */
export function sectionOf(rows: readonly AgentsRow[]): string {
  const shown = rows.length > MAX_ROWS ? rows.filter(({ scope }) => !scope.includes("/")) : rows;
  const kept = shown.slice(0, MAX_ROWS);
  return [
    START,
    "## What each directory is for",
    "",
    "Each directory below has a `.context.yaml` with more: read it before working there (`query_context` over MCP, or the file itself).",
    "",
    "| Directory | Summary |",
    "|---|---|",
    ...kept.map(({ scope, summary }) => `| \`${cell(scope)}\` | ${cell(summary)} |`),
    ...(kept.length < rows.length
      ? ["", `${rows.length - kept.length} more have a \`.context.yaml\` too.`]
      : []),
    END,
  ].join("\n");
}

/** A summary must not end its table cell, open code, or end the section. */
const cell = (text: string) =>
  text
    .replace(/\s+/g, (gap) => (/[\r\n]/.test(gap) ? " " : gap))
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[|`]/g, "\\$&");

function targetOf(root: string): string | undefined {
  const file = join(root, AGENTS_FILE);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isSymbolicLink()) return stat === undefined || stat.isFile() ? file : undefined;
  try {
    const real = realpathSync(file);
    return isInside(root, real) && lstatSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Text in another encoding would be damaged by writing it back. */
function textOf(file: string): { readonly text: string | undefined } | { readonly refusal: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file)) };
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === "ENOENT") return { text: undefined };
    return { refusal: thrown instanceof TypeError ? "it is not UTF-8 text" : `it cannot be read (${code})` };
  }
}
