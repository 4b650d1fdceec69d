import { unifiedDiff } from "../../../core/diff/unified.ts";

/** How a file changes; `undefined` where it is not there before or after. */
export const fileDiff = (file: string, before: string | undefined, after: string | undefined): string =>
  unifiedDiff(
    { label: before === undefined ? "/dev/null" : file, text: before ?? "" },
    { label: after === undefined ? "/dev/null" : file, text: after ?? "" },
  );
