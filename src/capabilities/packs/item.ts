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

/** What an item is to the reader; the order here is the order in a pack. */
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
export type Kind = (typeof KINDS)[number];

/** `not checked`: what is cited is no file of the project as it stands, so there was nothing to compare with. */
export type Freshness = "fresh" | "changed since indexed" | "suspect" | "not indexed" | "not checked";

export interface Citation {
  /** Relative to the project, or a document's own address. */
  readonly path: string;
  /** From 1; 0 where no line is cited, but the file as such. */
  readonly start: number;
  readonly end: number;
}

/** One of the sizes an item can be given at: verbatim lines of what it cites. */
export interface Rendition {
  readonly text: string;
  readonly citation: Citation;
}

/** Something that bears on the task, as a room found it. */
export interface PackItem {
  /** The same for the same thing in every process and on every machine. */
  readonly id: string;
  readonly room: PackRoom;
  readonly kind: Kind;
  readonly title: string;
  /** How much it bears on the task, in [0, 1]. */
  readonly score: number;
  /** Why it is here, in a few words. */
  readonly why: string;
  /** Who it comes from: a person, an agent, a connector; empty for code of the work tree. */
  readonly provenance: string;
  readonly freshness: Freshness;
  /** Label of the block, such as `go`. */
  readonly language: string;
  /** Largest first: whole, brief, name. At least one; an empty text where what is cited is gone. */
  readonly sizes: readonly Rendition[];
}

export interface PackRequest {
  readonly task: string;
  readonly root: string;
  /** Files a git range changed; none where no range was asked for. */
  readonly changes: readonly Change[];
}
export interface Change {
  readonly path: string;
  readonly status: string;
  /** Line ranges of the new side. */
  readonly lines: readonly { readonly start: number; readonly end: number }[];
}

export interface Gathered {
  readonly items: readonly PackItem[];
  /** Identifies everything the room's answer depends on: no path of this machine, no clock. */
  readonly state: string;
  /** Where the room had nothing to give: why, and the command that would fill it, if there is one. */
  readonly empty?: { readonly reason: string; readonly command?: string };
}

/** A room as packs see it; app.ts makes these from the rooms' reading functions. */
export interface PackSource {
  readonly room: PackRoom;
  gather(request: PackRequest, signal: AbortSignal): Promise<Gathered>;
}
