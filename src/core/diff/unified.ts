import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** A unified diff with three lines of surroundings, as `git diff` prints it; empty where nothing changed. */
export function unifiedDiff(before: Side, after: Side): string {
  if (before.text === after.text) return "";
  return createTwoFilesPatch(before.label, after.label, before.text, after.text, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

export interface Side {
  readonly label: string;
  readonly text: string;
}
