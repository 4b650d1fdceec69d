import { diff3Merge } from "node-diff3";

export type Preference = "ours" | "theirs";

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

/** Merges line by line. Where both sides changed the same lines, the preferred side's stand, and it is told. */
export function mergeLines({ base, ours, theirs }: Versions, preference: Preference): MergedLines {
  if (ours === theirs || theirs === base) return { text: ours, hasConflict: false };
  if (ours === base) return { text: theirs, hasConflict: false };
  const regions = diff3Merge(linesOf(ours), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const lines = regions.flatMap(
    (region) => region.ok ?? (preference === "ours" ? region.conflict?.a : region.conflict?.b) ?? [],
  );
  return { text: lines.join(""), hasConflict: regions.some((region) => region.conflict !== undefined) };
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
