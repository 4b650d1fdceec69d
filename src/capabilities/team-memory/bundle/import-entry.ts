import { checkFile, checkStrings } from "../entries/check-file.ts";
import { decisionFileName, idOf } from "../entries/decision-file.ts";
import { renumberText } from "../merge/renumber.ts";
import { normaliseKey, slugOf } from "../store/keys.ts";
import { FOLDER, folderOf, ownerOf, sidecarKey } from "../store/layout.ts";
import { decodeText } from "../store/read-file.ts";
import { type Importing, kept, refuseExposure } from "./importing.ts";

/** One entry, under the name it would have had if it had been written here. */
export async function importEntry(importing: Importing, path: string): Promise<void> {
  const { edit, view, overwrite, outcome, scopes, files, writer, decisions } = importing;
  const given = decodeText(files.get(path) ?? Buffer.alloc(0), path);
  await checkFile(path, given, writer);
  const { target, text } = placed(importing, path, given);
  if (target === undefined || view.at(target)?.text === text) {
    outcome.unchanged.push(path);
    return;
  }
  if (edit.touches(target)) throw kept(`another file of the bundle is ${target} too`);
  if (view.has(target) && !overwrite) {
    throw kept("there is another text under this name; use --overwrite");
  }
  refuseExposure(importing, path, target);
  const metadata = importing.metadataOf(path);
  checkStrings(metadata, writer);
  // An entry that is private here stays private, whatever the bundle says.
  const scope = scopes.get(path) ?? "public";
  if (!view.has(target) && scope !== "public") edit.setScope(target, scope);
  edit.put(target, text);
  if (ownerOf(target)?.kind === "decision") decisions.take(idOf(keyOf(target)));
  if (metadata !== undefined) edit.setMetadata(target, metadata);
  outcome.imported.push(target);
}

interface Placed {
  /** `undefined` where the entry is here under any name. */
  readonly target: string | undefined;
  readonly text: string;
}

function placed(importing: Importing, path: string, text: string): Placed {
  const owner = ownerOf(path);
  if (owner?.kind === "decision") return placedDecision(importing, path, text);
  if (owner?.kind === "skill") {
    if (owner.path !== path) throw kept("only SKILL.md is taken from a skill");
    return { target: path, text };
  }
  return { target: `${folderOf(path)}/${normaliseKey(keyOf(path))}.md`, text };
}

/** A decision whose text is not here yet keeps its id where that is free, and gets the next one where it is not. */
function placedDecision({ decisions }: Importing, path: string, text: string): Placed {
  if (decisions.isHere(text)) return { target: undefined, text };
  const key = keyOf(path);
  const wanted = idOf(key);
  const id = wanted !== undefined && decisions.isFree(wanted) ? wanted : decisions.next();
  const to = `${FOLDER.decision}/${decisionFileName(id, slugOf(key.replace(/^\d+-?/, "")))}`;
  return { target: to, text: id === wanted ? text : renumberText(text, { from: path, to }) };
}

const keyOf = (path: string) => sidecarKey(path).slice(0, -".md".length);
