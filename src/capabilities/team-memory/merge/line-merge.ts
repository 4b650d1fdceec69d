import { diff3Merge } from "node-diff3";

export type Preference = "ours" | "theirs";
/** What stands where both sides changed the same lines: one of them, or both between git's markers. */
export type InConflict = Preference | "marked";

/** Three versions of one text; every line ends with a newline. */
export interface Versions {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}
export interface MergedLines {
  readonly text: string;
  readonly hasConflict: boolean;
}

/** Merges line by line. It is told where both sides changed the same lines. */
export function mergeLines({ base, ours, theirs }: Versions, inConflict: InConflict): MergedLines {
  if (ours === theirs || theirs === base) return { text: ours, hasConflict: false };
  if (ours === base) return { text: theirs, hasConflict: false };
  const regions = diff3Merge(linesOf(ours), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const lines = regions.map(({ ok, conflict }) =>
    conflict === undefined
      ? (ok ?? []).join("")
      : choose({ ours: conflict.a.join(""), theirs: conflict.b.join("") }, inConflict),
  );
  return { text: lines.join(""), hasConflict: regions.some((region) => region.conflict !== undefined) };
}

/** One of two texts, or both as git shows them. */
export function choose(sides: Readonly<Record<Preference, string>>, inConflict: InConflict): string {
  if (inConflict !== "marked") return sides[inConflict];
  const { ours, theirs } = sides;
  return `<<<<<<< ours\n${closed(ours)}=======\n${closed(theirs)}>>>>>>> theirs\n`;
}

const closed = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
