import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Survey } from "../read/survey.ts";

/** The names atomic writes give to files they have not finished. */
const UNFINISHED = /^\.(\.context\.yaml|AGENTS\.md|\.contextignore)\.[0-9a-f]{12}\.tmp$/;
/** Younger ones may belong to another process that is writing right now. */
const ABANDONED_AFTER_MS = 60_000;

/** Removes what a killed process left behind: such files would count in the fingerprint. True where there were any. */
export function removeLeftovers({ root, entries }: Survey, now: Date): boolean {
  const found = entries.flatMap(({ scope, directory }) =>
    (directory.listing?.files ?? [])
      .filter(({ name, mtimeMs }) => UNFINISHED.test(name) && mtimeMs < now.getTime() - ABANDONED_AFTER_MS)
      .map(({ name }) => join(root, scope, name)),
  );
  return found.map(isRemoved).includes(true);
}

/** One that may not be removed stays; it is no reason to end the work. */
function isRemoved(file: string): boolean {
  try {
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}
