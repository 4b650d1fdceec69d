import { choose, type InConflict, mergeLines, type TextVersions } from "./line-merge.ts";
import { mergeOrder } from "./section-order.ts";
import { mapThree, type Three } from "./three.ts";

/** One `## ` heading with its text, or the text before the first heading. */
interface MarkdownSection {
  /** As written; empty for the text before the first heading. */
  readonly heading: string;
  /** Includes the heading's line. */
  readonly text: string;
}
interface MergedText {
  readonly text: string;
  /** One sentence per section in which both sides changed the same lines. Empty: merged without loss. */
  readonly conflicts: readonly string[];
}

/** Merging the order of sections takes quadratic time; files with more sections are merged by lines. */
const MAX_SECTIONS = 5000;

/** Merges Markdown by `## ` sections, and by lines within a section. Line ends and the final newline are merged separately. */
export function mergeMarkdown(versions: TextVersions, inConflict: InConflict): MergedText {
  const { base, ours, theirs } = versions;
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  const plain = mapThree(versions, (text) => text.replaceAll("\r\n", "\n").replace(/\n$/, ""));
  const merged = mergeSections(
    mapThree(plain, (text) => (text === "" ? "" : `${text}\n`)),
    inConflict,
  );
  const hasFinalNewline = mergeBoolean(mapThree(versions, (text) => text.endsWith("\n")));
  const isCrlf = mergeBoolean(mapThree(versions, isMostlyCrlf));
  const text = hasFinalNewline ? merged.text : merged.text.replace(/\n$/, "");
  return { text: isCrlf ? text.replaceAll("\n", "\r\n") : text, conflicts: merged.conflicts };
}

/** Splits at `## ` headings outside code fences. The joined texts are the input. */
export function splitSections(text: string): MarkdownSection[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  let fence: string | undefined;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && /^## +\S/.test(line))
      sections.push({ heading: line.slice(3).trim(), lines: [] });
    sections.at(-1)?.lines.push(line);
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join("") }))
    .filter((section) => section.text !== "");
}

function mergeSections(versions: TextVersions, inConflict: InConflict): MergedText {
  const split = mapThree(versions, splitSections);
  const sections = mapThree(split, byHeading);
  // If a heading repeats, nobody can tell which section is which: only a merge by lines is safe.
  const isMergedByLines = SIDES.some(
    (side) => split[side].length > MAX_SECTIONS || sections[side].size < split[side].length,
  );
  if (isMergedByLines) {
    const { text, hasConflict } = mergeLines(versions, inConflict);
    return { text, conflicts: hasConflict ? ["both sides changed the same lines"] : [] };
  }
  const keys = mapThree(sections, (keyed) => [...keyed.keys()]);
  const conflicts: string[] = [];
  const texts = mergeOrder(keys.base, keys.ours, keys.theirs).map((key) => {
    const outcome = mergeSection(
      mapThree(sections, (keyed) => keyed.get(key)),
      inConflict,
    );
    if (outcome.conflict !== undefined) conflicts.push(outcome.conflict);
    return outcome.text;
  });
  return { text: texts.join(""), conflicts };
}

const SIDES = ["base", "ours", "theirs"] as const;

const byHeading = (sections: readonly MarkdownSection[]): ReadonlyMap<string, MarkdownSection> =>
  new Map(sections.map((section) => [section.heading.toLowerCase(), section]));

function mergeSection({ base, ours, theirs }: Three<MarkdownSection | undefined>, inConflict: InConflict) {
  const name = (ours ?? theirs ?? base)?.heading || "the text before the first heading";
  if (ours && theirs) {
    const versions = { base: base?.text ?? "", ours: ours.text, theirs: theirs.text };
    const { text, hasConflict } = mergeLines(versions, inConflict);
    return {
      text,
      conflict: hasConflict ? `${name}: both sides ${base ? "changed" : "added"} it differently` : undefined,
    };
  }
  const [kept, isOurs] = [ours ?? theirs, ours !== undefined];
  if (!kept || (base && base.text === kept.text)) return { text: "", conflict: undefined };
  if (!base) return { text: kept.text, conflict: undefined };
  const [keeper, deleter] = isOurs ? ["ours", "theirs"] : ["theirs", "ours"];
  // Never drop text on a guess: only the preferred side may delete it.
  return {
    text: choose({ ours: ours?.text ?? "", theirs: theirs?.text ?? "" }, inConflict),
    conflict: `${name}: deleted by ${deleter}, changed by ${keeper}`,
  };
}

/** Three-way merge of a boolean: the changed side wins. */
const mergeBoolean = ({ base, ours, theirs }: Three<boolean>): boolean => (ours === base ? theirs : ours);

/** A single pasted line with other line ends does not change the ends of the file. */
const isMostlyCrlf = (text: string): boolean =>
  text.split("\r\n").length - 1 > (text.split("\n").length - 1) / 2;
