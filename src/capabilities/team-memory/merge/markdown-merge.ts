import { choose, type InConflict, mergeLines, type Versions } from "./line-merge.ts";
import { keySections } from "./section-keys.ts";
import { mergeOrder } from "./section-order.ts";
import { type Section, splitSections } from "./sections.ts";
import { mapThree, type Three } from "./three.ts";

export interface MergedText {
  readonly text: string;
  /** One sentence for each section where both sides changed the same lines; empty: merged without loss. */
  readonly conflicts: readonly string[];
}

/** To tell which section is which takes the square of their number. No text that people read has as many. */
const MOST_SECTIONS = 5000;

/** Merges Markdown by its `## ` sections, and by lines within one. Line ends and the final newline are merged apart. */
export function mergeMarkdown(versions: Versions, inConflict: InConflict): MergedText {
  const { base, ours, theirs } = versions;
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  const plain = mapThree(versions, (text) => text.replaceAll("\r\n", "\n").replace(/\n$/, ""));
  const merged = mergeSections(
    mapThree(plain, (text) => (text === "" ? "" : `${text}\n`)),
    inConflict,
  );
  const hasFinalNewline = mergeFact(mapThree(versions, (text) => text.endsWith("\n")));
  const isCrlf = mergeFact(mapThree(versions, isMostlyCrlf));
  const text = hasFinalNewline ? merged.text : merged.text.replace(/\n$/, "");
  return { text: isCrlf ? text.replaceAll("\n", "\r\n") : text, conflicts: merged.conflicts };
}

function mergeSections(versions: Versions, inConflict: InConflict): MergedText {
  const split = mapThree(versions, splitSections);
  if (Object.values(split).some(({ length }) => length > MOST_SECTIONS)) {
    const { text, hasConflict } = mergeLines(versions, inConflict);
    return { text, conflicts: hasConflict ? ["both sides changed the same lines"] : [] };
  }
  const sections = keySections(split);
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

function mergeSection({ base, ours, theirs }: Three<Section | undefined>, inConflict: InConflict) {
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
  // Text is never dropped on a guess: only the side that was asked for may delete it.
  return {
    text: choose({ ours: ours?.text ?? "", theirs: theirs?.text ?? "" }, inConflict),
    conflict: `${name}: deleted by ${deleter}, changed by ${keeper}`,
  };
}

/** A yes-or-no fact: whoever changed it decides. */
const mergeFact = ({ base, ours, theirs }: Three<boolean>): boolean => (ours === base ? theirs : ours);

/** One line from another system does not make the file one of that system. */
const isMostlyCrlf = (text: string): boolean =>
  text.split("\r\n").length - 1 > (text.split("\n").length - 1) / 2;
