import type { Call } from "../../core/tool.ts";
import type { FileRole } from "./file-role.ts";

/** The rooms that items are gathered from. */
export const SOURCE_ROOMS = [
  "directory-contexts",
  "context-caches",
  "team-memory",
  "documents",
  "code-index",
] as const;
/** Every room an item can come from, in the order of the receipt; `packs` itself adds what a git range changed. */
export const PACK_ROOMS = [...SOURCE_ROOMS, "packs"] as const;
export type PackRoom = (typeof PACK_ROOMS)[number];

/** The order here is the order in a pack. */
export const KINDS = [
  "convention",
  "decision",
  "knowledge",
  "state",
  "change",
  "directory",
  "code",
  "document",
] as const;
export type PackItemKind = (typeof KINDS)[number];

/** `not checked`: the citation is not a file of the project, so there was nothing to compare with. */
export type Freshness = "fresh" | "changed since indexed" | "suspect" | "not indexed" | "not checked";

export interface Citation {
  /** Relative to the project, or a document's own address. */
  readonly path: string;
  /** From 1; 0 if the whole file is cited, not lines of it. */
  readonly start: number;
  readonly end: number;
}

/** One of the sizes of an item: verbatim lines of what it cites. A line such as `… 34 lines` stands for lines left out. */
export interface Rendition {
  readonly text: string;
  readonly citation: Citation;
}

/** Something relevant to the task, as a room found it. */
export interface PackItem {
  /** The same in every process and on every machine. */
  readonly id: string;
  readonly room: PackRoom;
  readonly kind: PackItemKind;
  /** What the cited file is to the task. Default: source. */
  readonly role?: FileRole;
  readonly title: string;
  /** A short task names it: it comes first, and little else is needed. */
  readonly isTarget?: boolean;
  /** Relevance to the task, in [0, 1]. */
  readonly score: number;
  /** Why it was found, in a few words. */
  readonly why: string;
  /** Its author or connector; empty for code of the work tree. */
  readonly provenance: string;
  readonly freshness: Freshness;
  /** Label of the block, such as `go`. */
  readonly language: string;
  /** Largest first: whole, brief, name. At least one; the text is empty if the cited file is missing. */
  readonly sizes: readonly Rendition[];
}

/** The number of each quoted line in its file; for a marker, of the first line it stands for. */
export function lineNumbersOf({ text, citation: { start, end } }: Rendition): number[] {
  const lines = text.split("\n");
  const isCut = lines.length < end - start + 1;
  let next = start;
  return lines.map((line) => {
    const number = next;
    next += isCut ? linesLeftOut(line) || 1 : 1;
    return number;
  });
}

/** How many lines a marker stands for; 0 for any other line. */
export const linesLeftOut = (line: string): number => Number(/^\s*… (\d+) lines?$/.exec(line)?.[1] ?? 0);

export interface PackRequest {
  readonly task: string;
  readonly budget: number;
  readonly root: string;
  /** Files that a git range changed; empty without a range. */
  readonly changes: readonly ChangedFile[];
}
export interface ChangedFile {
  readonly path: string;
  readonly status: string;
  /** Changed line ranges in the new version. */
  readonly lines: readonly { readonly start: number; readonly end: number }[];
}

export interface Gathered {
  readonly items: readonly PackItem[];
  /** Identifies everything the room's answer depends on. Contains no path of this machine and no time. */
  readonly state: string;
  /** If the room had nothing to give: the reason, and the command that fills the room, if there is one. */
  readonly empty?: { readonly reason: string; readonly command?: string };
}

/** One room that gives items for a pack. */
interface PackSource {
  readonly room: PackRoom;
  gather(): Promise<Gathered>;
}

/** Opens the sources for one request; app.ts builds them from the rooms' functions. */
export type OpenPackSources = (request: PackRequest, call: Call) => readonly PackSource[];
