import { z } from "zod";
import { MAX_SESSIONS, SESSIONS } from "../store/layout.ts";
import { choose, type InConflict, mergeLines } from "./line-merge.ts";
import { mergeMarkdown } from "./markdown-merge.ts";
import { mergeJson, mergeNdjson } from "./record-merge.ts";

/** Three versions of one file; `undefined` if a side does not have it. */
interface FileVersions {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}
export type ConflictKind = "content" | "add/add" | "modify/delete";
interface MergedFile {
  /** `undefined`: the file is removed. With a conflict: the version of the preferred side. */
  readonly text: string | undefined;
  readonly conflict?: { readonly kind: ConflictKind; readonly details: readonly string[] };
}

/** Merges one file by its format: Markdown by sections, NDJSON by id, JSON by key, others by lines. */
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
    // Two files created separately under one name are different things, even if their lines merge cleanly.
    const details = ["added by both sides with different text"];
    return { text: inConflict === "marked" ? choose(texts, "marked") : text, conflict: { kind, details } };
  }
  const { text, hasConflict } = mergeLines(texts, inConflict);
  return hasConflict
    ? { text, conflict: { kind, details: ["both sides changed the same lines"] } }
    : { text };
}

/** In metadata the later record wins; conflicts in team preferences are for people to resolve. */
const isMetadata = (path: string) => !path.endsWith("preferences/team.json");

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
  if (conflicts.length === 0 || isMetadata(path)) return { text: `${JSON.stringify(value, null, 2)}\n` };
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
    .slice(-MAX_SESSIONS)
    .map((line) => `${line}\n`)
    .join("");
}
