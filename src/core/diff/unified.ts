import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from "diff";

export interface Side {
  readonly label: string;
  readonly text: string;
}

/** Finding the shortest way takes the square of its length: two long texts that share nothing would take minutes. */
const MOST_EDITS = 4_000;

/** A unified diff with three lines of surroundings, as `git diff` prints it; empty where nothing changed. */
export function unifiedDiff(before: Side, after: Side): string {
  if (before.text === after.text) return "";
  const shortest = createTwoFilesPatch(
    before.label,
    after.label,
    before.text,
    after.text,
    undefined,
    undefined,
    {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      maxEditLength: MOST_EDITS,
    },
  );
  return shortest ?? replaced(before, after);
}

/** All of the one taken away, all of the other put in its place. */
function replaced(before: Side, after: Side): string {
  const [gone, come] = [linesOf(before.text), linesOf(after.text)];
  const lines = [...marked("-", gone), ...marked("+", come)];
  const hunk = {
    oldStart: 1,
    oldLines: gone.length,
    newStart: 1,
    newLines: come.length,
    lines,
  };
  const patch = { oldFileName: before.label, newFileName: after.label, hunks: [hunk] };
  return formatPatch({ ...patch, oldHeader: undefined, newHeader: undefined }, FILE_HEADERS_ONLY);
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const marked = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
  );
