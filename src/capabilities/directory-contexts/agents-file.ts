import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../core/files/allowed-roots.ts";
import { AGENTS_FILE } from "./schema.ts";

const START = "<!-- dotcontext:agents-section -->";
const END = "<!-- dotcontext:agents-section-end -->";

export interface AgentsRow {
  readonly scope: string;
  readonly summary: string;
}
export interface AgentsPlan {
  /** Where to write: the file itself, or what it links to inside the project. */
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** What AGENTS.md should say; `undefined` where it is a link that leaves the project and is none of our business. */
export function planAgentsFile(root: string, rows: readonly AgentsRow[]): AgentsPlan | undefined {
  const file = targetOf(root);
  if (file === undefined) return undefined;
  const before = textOf(file);
  return { file, before, after: withSection(before, sectionOf(rows)) };
}

/** The managed section put between its markers, or appended; everything else is left as it is. */
export function withSection(before: string | undefined, section: string): string {
  if (before === undefined || before.trim() === "") return `${section}\n`;
  const start = before.indexOf(START);
  if (start < 0) return `${before.replace(/\n*$/, "")}\n\n${section}\n`;
  const end = before.indexOf(END, start);
  const rest = end < 0 ? "\n" : before.slice(end + END.length);
  return before.slice(0, start) + section + rest;
}

/** The rows must be sorted, the root first. */
export function sectionOf(rows: readonly AgentsRow[]): string {
  return [
    START,
    "## What each directory is for",
    "",
    "Each directory below has a `.context.yaml` with more: read it before working there (`query_context` over MCP, or the file itself).",
    "",
    "| Directory | Summary |",
    "|---|---|",
    ...rows.map(({ scope, summary }) => `| \`${cell(scope)}\` | ${cell(summary)} |`),
    END,
  ].join("\n");
}

/** A summary may not end its cell, open code, or end the section. */
const cell = (text: string) =>
  text
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/<!--|-->/g, "")
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

function textOf(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file, "utf8");
}
