import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from "diff";

interface DiffSide {
  readonly label: string;
  readonly text: string;
}

/** The shortest diff takes quadratic time: two long texts without common lines would take minutes. */
const MAX_EDITS = 4_000;

/** A unified diff with three lines of context, as `git diff` prints it; empty if nothing changed. */
export function unifiedDiff(before: DiffSide, after: DiffSide): string {
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
      maxEditLength: MAX_EDITS,
    },
  );
  return shortest ?? replaced(before, after);
}

/** A diff that removes all old lines and adds all new ones. */
function replaced(before: DiffSide, after: DiffSide): string {
  const [removed, added] = [linesOf(before.text), linesOf(after.text)];
  const lines = [...marked("-", removed), ...marked("+", added)];
  const hunk = {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
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
