import { resolve } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { checkFile } from "../entries/check-file.ts";
import type { Project, Writer } from "../entries/project.ts";
import { mergeFile } from "../merge/file-merge.ts";
import { MANIFEST, ownerOf, TEAM_PREFERENCES } from "../store/layout.ts";
import { decodeText } from "../store/read-file.ts";
import { importEntry } from "./import-entry.ts";
import { importLog, isLog } from "./import-log.ts";
import { type Importing, kept } from "./importing.ts";
import { knownDecisions } from "./known-decisions.ts";
import { metadataIn, readBundle, scopesIn } from "./read-bundle.ts";

export interface ImportedBundle {
  readonly imported: readonly string[];
  /** There already with the same text. */
  readonly unchanged: readonly string[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/** Brings in what a bundle holds, file by file and by the rules of every other write; the scopes it gives are kept. */
export async function importBundle(
  project: Project,
  { file, overwrite, cwd }: { file: string; overwrite: boolean; cwd: string },
  writer: Writer,
): Promise<ImportedBundle> {
  const files = readBundle(resolve(cwd, file), file);
  const scopes = scopesIn(files);
  return project.store.write(
    { purpose: "importing a bundle", signal: writer.signal, created: {} },
    async (edit, view) => {
      const outcome = { imported: [], unchanged: [], skipped: [] };
      const importing: Importing = {
        project,
        edit,
        view,
        writer,
        overwrite,
        files,
        scopes,
        outcome,
        metadataOf: metadataIn(files),
        decisions: knownDecisions(view),
      };
      // Logs come last: whether one is taken depends on its skill.
      for (const path of [...files.keys()].sort((a, b) => Number(isLog(a)) - Number(isLog(b)))) {
        writer.signal?.throwIfAborted();
        if (!isBookkeeping(path)) await importFile(importing, path);
      }
      return outcome;
    },
  );
}

/** What cannot be taken is told, and the rest goes on. */
async function importFile(importing: Importing, path: string): Promise<void> {
  try {
    if (isLog(path)) importLog(importing, path);
    else if (path === TEAM_PREFERENCES) await importPreferences(importing);
    else if (ownerOf(path) !== undefined) await importEntry(importing, path);
    else throw kept("only entries, their logs and the team's preferences are imported");
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    importing.outcome.skipped.push({ file: path, reason: thrown.message });
  }
}

async function importPreferences({
  project,
  edit,
  files,
  overwrite,
  writer,
  outcome,
}: Importing): Promise<void> {
  const theirs = decodeText(files.get(TEAM_PREFERENCES) ?? Buffer.alloc(0), TEAM_PREFERENCES);
  await checkFile(TEAM_PREFERENCES, theirs, writer);
  const ours = project.store.readText(TEAM_PREFERENCES);
  const merged = mergeFile(
    TEAM_PREFERENCES,
    { base: undefined, ours, theirs },
    overwrite ? "theirs" : "ours",
  );
  if (merged.conflict !== undefined && !overwrite) {
    throw kept(`${merged.conflict.details.join(", ")}; use --overwrite`);
  }
  if (merged.text === undefined || merged.text === ours) {
    outcome.unchanged.push(TEAM_PREFERENCES);
    return;
  }
  edit.put(TEAM_PREFERENCES, merged.text);
  outcome.imported.push(TEAM_PREFERENCES);
}

/** Speaks of the bundle's own store, or is read together with the entries. */
const isBookkeeping = (path: string) =>
  path === MANIFEST || /(^|\/)\.(gitignore|meta\.json|scope\.json)$/.test(path);
