import { unifiedDiff } from "../../../core/diff/unified.ts";

/** The diff of a file; `undefined` if it does not exist before or after. */
export const fileDiff = (file: string, before: string | undefined, after: string | undefined): string =>
  unifiedDiff(
    { label: before === undefined ? "/dev/null" : file, text: before ?? "" },
    { label: after === undefined ? "/dev/null" : file, text: after ?? "" },
  );
