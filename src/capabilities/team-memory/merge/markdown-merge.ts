import { mergeLines, type Preference, type Versions } from "./line-merge.ts";
import { mergeOrder } from "./section-order.ts";
import { type Section, splitSections } from "./sections.ts";

export interface MergedText {
  readonly text: string;
  /** One sentence for each section where both sides changed the same lines; empty: merged without loss. */
  readonly conflicts: readonly string[];
}

/** Merges Markdown by its `## ` sections, and by lines within one. Line ends and the final newline are merged apart. */
export function mergeMarkdown(versions: Versions, preference: Preference): MergedText {
  const { base, ours, theirs } = versions;
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  const plain = mapVersions(versions, (text) => text.replaceAll("\r\n", "\n").replace(/\n$/, ""));
  const merged = mergeSections(
    mapVersions(plain, (text) => (text === "" ? "" : `${text}\n`)),
    preference,
  );
  const hasFinalNewline = mergeFact(mapVersions(versions, (text) => text.endsWith("\n")));
  const isCrlf = mergeFact(mapVersions(versions, (text) => text.includes("\r\n")));
  const text = hasFinalNewline ? merged.text : merged.text.replace(/\n$/, "");
  return { text: isCrlf ? text.replaceAll("\n", "\r\n") : text, conflicts: merged.conflicts };
}

function mergeSections(versions: Versions, preference: Preference): MergedText {
  const split = mapVersions(versions, splitSections);
  const maps = mapVersions(split, (sections) => new Map(sections.map((section) => [section.key, section])));
  const keys = mapVersions(split, (sections) => sections.map(({ key }) => key));
  const conflicts: string[] = [];
  const texts = mergeOrder(keys.base, keys.ours, keys.theirs).map((key) => {
    const outcome = mergeSection(
      mapVersions(maps, (map) => map.get(key)),
      preference,
    );
    if (outcome.conflict !== undefined) conflicts.push(outcome.conflict);
    return outcome.text;
  });
  return { text: texts.join(""), conflicts };
}

type Three<T> = { readonly base: T; readonly ours: T; readonly theirs: T };

function mergeSection({ base, ours, theirs }: Three<Section | undefined>, preference: Preference) {
  const name = (ours ?? theirs ?? base)?.heading || "the text before the first heading";
  if (ours && theirs) {
    const versions = { base: base?.text ?? "", ours: ours.text, theirs: theirs.text };
    const { text, hasConflict } = mergeLines(versions, preference);
    return {
      text,
      conflict: hasConflict ? `${name}: both sides ${base ? "changed" : "added"} it differently` : undefined,
    };
  }
  const [kept, isOurs] = [ours ?? theirs, ours !== undefined];
  if (!kept || (base && base.text === kept.text)) return { text: "", conflict: undefined };
  if (!base) return { text: kept.text, conflict: undefined };
  const [keeper, deleter] = isOurs ? ["ours", "theirs"] : ["theirs", "ours"];
  // Text is never dropped on a guess: only the side that was asked for may delete it.
  return {
    text: preference === keeper ? kept.text : "",
    conflict: `${name}: deleted by ${deleter}, changed by ${keeper}`,
  };
}

const mapVersions = <T, U>({ base, ours, theirs }: Three<T>, map: (value: T) => U): Three<U> => ({
  base: map(base),
  ours: map(ours),
  theirs: map(theirs),
});

/** A yes-or-no fact: whoever changed it decides. */
const mergeFact = ({ base, ours, theirs }: Three<boolean>): boolean => (ours === base ? theirs : ours);
