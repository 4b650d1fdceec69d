import { quotableLines } from "../../../core/hygiene/index.ts";
import type { PackItem, Rendition } from "../item.ts";
import { type NewSide, readNewSides } from "./changed-files.ts";
import type { ChangeSet, FileChange } from "./git-range.ts";

const MOST_LINES = 60;

/** The largest hunk of each changed file; of one that has no line to quote, what became of it. */
export async function changeItems(
  root: string,
  { changes }: ChangeSet,
  signal: AbortSignal,
): Promise<PackItem[]> {
  const sides = await readNewSides(root, changes, signal);
  return changes.map((change) => {
    const side = sides.get(change.path);
    const hunk = side === undefined ? [] : largestHunk(change, side.text);
    return {
      id: `change:${change.path}`,
      room: "packs",
      kind: "change",
      title: `${change.path} (${change.status})`,
      score: 0.8,
      why: `${change.status} in the range`,
      ...(side === undefined || hunk.length === 0 ? noted(change) : quoted(change, side, hunk)),
    };
  });
}

type Quoted = Pick<PackItem, "provenance" | "freshness" | "language" | "sizes">;

const quoted = ({ path }: FileChange, { isOnDisk }: NewSide, hunk: readonly Rendition[]): Quoted => ({
  provenance: isOnDisk ? "git range" : "git range, not as it is on the disk",
  freshness: isOnDisk ? "fresh" : "changed since indexed",
  language: path.split(".").at(-1) ?? "text",
  sizes: hunk,
});

const noted = ({ path, note }: FileChange): Quoted => ({
  provenance: "git range",
  freshness: "not checked",
  language: "text",
  sizes: [{ text: note, citation: { path, start: 0, end: 0 } }],
});

function largestHunk({ path, lines }: FileChange, text: string): Rendition[] {
  const [first, ...others] = lines;
  if (first === undefined) return [];
  const hunk = others.reduce(
    (best, next) => (next.end - next.start > best.end - best.start ? next : best),
    first,
  );
  const all = quotableLines(text);
  const quote = (end: number): Rendition => {
    const cut = all.slice(hunk.start - 1, end);
    return {
      text: cut.join("\n"),
      citation: { path, start: hunk.start, end: hunk.start + cut.length - 1 },
    };
  };
  const whole = quote(Math.min(hunk.end, hunk.start + MOST_LINES - 1));
  if (whole.text.trim() === "") return [];
  return hunk.end - hunk.start > 5 ? [whole, quote(hunk.start + 2)] : [whole];
}
