import { DomainError } from "../../../core/errors.ts";
import { checkStrings } from "../entries/check-file.ts";
import { mergeFile } from "../merge/file-merge.ts";
import { ownerOf, SESSIONS } from "../store/layout.ts";
import { type LogLine, linesOf, putLines } from "../store/ndjson.ts";
import { type Importing, kept, refuseExposure } from "./importing.ts";

export const isLog = (path: string): boolean =>
  path === SESSIONS || /^skills\/[^/]+\/\.(usage|feedback)\.ndjson$/.test(path);

/** Logs are joined by the ids of their lines, as a pull joins them. A skill's log comes with the skill or not at all. */
export function importLog(importing: Importing, path: string): void {
  const { project, edit, files, outcome } = importing;
  const skill = ownerOf(path)?.path;
  if (skill !== undefined) {
    if (![...outcome.imported, ...outcome.unchanged].includes(skill))
      throw kept("its skill was not imported");
    refuseExposure(importing, skill, skill);
  }
  const clean = linesOf(files.get(path)).filter((line) => isClean(importing, path, line));
  const ours = textOf(linesOf(project.store.readBytes(path)));
  const { text = "" } = mergeFile(path, { base: undefined, ours, theirs: textOf(clean) }, "ours");
  if (text === ours) return;
  putLines(project.store, edit, path, linesOf(Buffer.from(text)));
  outcome.imported.push(path);
}

function isClean({ writer, outcome }: Importing, path: string, { value }: LogLine): boolean {
  try {
    checkStrings(value, writer);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    outcome.skipped.push({ file: path, reason: thrown.message });
    return false;
  }
}

const textOf = (lines: readonly LogLine[]) =>
  lines.map(({ bytes }) => `${bytes.toString("utf8")}\n`).join("");
