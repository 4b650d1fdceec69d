import { diff3Merge } from "node-diff3";
import { stretchesOf } from "./stretches.ts";
import { mapThree, type TextLines, type Three } from "./three.ts";

export type Preference = "ours" | "theirs";
/** The result if both sides changed the same lines: one side, or both between git's conflict markers. */
export type InConflict = Preference | "marked";

/** Three versions of one text; every line ends with a newline. */
export interface TextVersions {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}
interface MergedLines {
  readonly text: string;
  readonly hasConflict: boolean;
}

/** A comparison costs up to pairs of equal lines times lines: some thousand blank lines would take minutes. */
const MAX_STEPS = 100_000_000;

/** Merges line by line. */
export function mergeLines(versions: TextVersions, inConflict: InConflict): MergedLines {
  const whole = mergeWhole(versions, inConflict);
  if (!whole.hasConflict) return whole;
  const lines = mapThree(versions, linesOf);
  if (isQuick(lines)) return mergeQuick(lines, inConflict);
  const merged = stretchesOf(lines).map((stretch) => mergeStretch(stretch, inConflict));
  return {
    text: merged.map(({ text }) => text).join(""),
    hasConflict: merged.some(({ hasConflict }) => hasConflict),
  };
}

function mergeStretch(stretch: Three<TextLines>, inConflict: InConflict): MergedLines {
  const texts = mapThree(stretch, (lines) => lines.join(""));
  const whole = mergeWhole(texts, inConflict);
  return whole.hasConflict && isQuick(stretch) ? mergeQuick(stretch, inConflict) : whole;
}

/** Merges as one piece: if only one side changed it, that side wins; if both did, it is a conflict. */
function mergeWhole({ base, ours, theirs }: TextVersions, inConflict: InConflict): MergedLines {
  if (ours === theirs || theirs === base) return { text: ours, hasConflict: false };
  if (ours === base) return { text: theirs, hasConflict: false };
  return { text: choose({ ours, theirs }, inConflict), hasConflict: true };
}

const isQuick = ({ base, ours, theirs }: Three<TextLines>): boolean =>
  steps(base, ours) <= MAX_STEPS && steps(base, theirs) <= MAX_STEPS;

function steps(before: TextLines, after: TextLines): number {
  const counts = new Map<string, number>();
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1);
  const pairs = after.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
  return pairs * Math.min(before.length, after.length);
}

function mergeQuick({ base, ours, theirs }: Three<TextLines>, inConflict: InConflict): MergedLines {
  const regions = diff3Merge([...ours], [...base], [...theirs], { excludeFalseConflicts: true });
  const lines = regions.map(({ ok, conflict }) =>
    conflict === undefined
      ? (ok ?? []).join("")
      : choose({ ours: conflict.a.join(""), theirs: conflict.b.join("") }, inConflict),
  );
  return { text: lines.join(""), hasConflict: regions.some((region) => region.conflict !== undefined) };
}

/** One of two texts, or both between conflict markers. */
export function choose(sides: Readonly<Record<Preference, string>>, inConflict: InConflict): string {
  if (inConflict !== "marked") return sides[inConflict];
  const { ours, theirs } = sides;
  return `<<<<<<< ours\n${closed(ours)}=======\n${closed(theirs)}>>>>>>> theirs\n`;
}

const closed = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
