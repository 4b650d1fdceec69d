import { z } from "zod";
import { MOST_SESSIONS, SESSIONS } from "../store/layout.ts";
import { choose, type InConflict, mergeLines } from "./line-merge.ts";
import { mergeMarkdown } from "./markdown-merge.ts";
import { mergeJson, mergeNdjson } from "./record-merge.ts";

/** Three versions of one file; `undefined` where a side does not have it. */
export interface FileVersions {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}
export type ConflictKind = "content" | "add/add" | "modify/delete";
export interface MergedFile {
  /** `undefined`: the file goes. With a conflict: what the preferred side gives. */
  readonly text: string | undefined;
  readonly conflict?: { readonly kind: ConflictKind; readonly details: readonly string[] };
}

/** Merges one file of a store by what it is: Markdown by sections, lines of JSON by id, JSON by key, the rest by lines. */
export function mergeFile(path: string, versions: FileVersions, inConflict: InConflict): MergedFile {
  const { base, ours, theirs } = versions;
  if (ours === theirs || theirs === base) return { text: ours };
  if (ours === base) return { text: theirs };
  if (ours === undefined || theirs === undefined) {
    const [deleter, keeper] = ours === undefined ? ["ours", "theirs"] : ["theirs", "ours"];
    return {
      text: inConflict === "theirs" ? theirs : ours,
      conflict: { kind: "modify/delete", details: [`deleted by ${deleter}, changed by ${keeper}`] },
    };
  }
  return mergeContents(path, { base, ours, theirs }, inConflict);
}

type FileTexts = { base: string | undefined; ours: string; theirs: string };

function mergeContents(path: string, { base, ours, theirs }: FileTexts, inConflict: InConflict): MergedFile {
  const kind = base === undefined ? "add/add" : "content";
  const texts = { base: base ?? "", ours, theirs };
  if (path.endsWith(".ndjson")) return { text: trimHistory(path, mergeNdjson(texts.base, ours, theirs)) };
  if (path.endsWith(".json")) return mergeJsonText(path, texts, { kind, inConflict });
  if (path.endsWith(".md")) {
    const { text, conflicts } = mergeMarkdown(texts, inConflict);
    if (conflicts.length > 0) return { text, conflict: { kind, details: conflicts } };
    if (kind !== "add/add") return { text };
    // Two files that were made apart under one name are two things, even where their lines happen to fit together.
    const details = ["added by both sides with different text"];
    return { text: inConflict === "marked" ? choose(texts, "marked") : text, conflict: { kind, details } };
  }
  const { text, hasConflict } = mergeLines(texts, inConflict);
  return hasConflict
    ? { text, conflict: { kind, details: ["both sides changed the same lines"] } }
    : { text };
}

/** Bookkeeping settles itself by the later record; what people set for the team is theirs to settle. */
const isBookkeeping = (path: string) => !path.endsWith("preferences/team.json");

function mergeJsonText(
  path: string,
  texts: { base: string; ours: string; theirs: string },
  { kind, inConflict }: { kind: ConflictKind; inConflict: InConflict },
): MergedFile {
  const [base, ours, theirs] = [parse(texts.base), parse(texts.ours), parse(texts.theirs)];
  if (ours === undefined || theirs === undefined) {
    return { text: choose(texts, inConflict), conflict: { kind, details: ["not valid JSON on one side"] } };
  }
  const { value, conflicts } = mergeJson(base ?? {}, ours, theirs);
  if (conflicts.length === 0 || isBookkeeping(path)) return { text: `${JSON.stringify(value, null, 2)}\n` };
  const details = conflicts.map((key) => `${key}: set differently`);
  return { text: choose(texts, inConflict), conflict: { kind, details } };
}

function parse(text: string): z.infer<ReturnType<typeof z.json>> | undefined {
  try {
    return z.json().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function trimHistory(path: string, text: string): string {
  if (!path.endsWith(SESSIONS)) return text;
  const lines = text.split("\n").filter((line) => line !== "");
  return lines
    .slice(-MOST_SESSIONS)
    .map((line) => `${line}\n`)
    .join("");
}
