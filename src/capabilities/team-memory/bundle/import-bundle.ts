import { resolve } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { checkText } from "../check-text.ts";
import { decisionFileName, idOf } from "../decision-file.ts";
import { nextDecisionId } from "../decisions.ts";
import { lineId, linesOf } from "../ndjson.ts";
import type { Project, Writer } from "../project.ts";
import { checkSkillFile } from "../skill-file.ts";
import type { Edit } from "../store/edit.ts";
import { normaliseKey, slugOf } from "../store/keys.ts";
import { FOLDER, folderOf, ownerOf, type Scope, SESSIONS, sidecarKey } from "../store/layout.ts";
import { decodeText } from "../store/read-file.ts";
import type { View } from "../store/store.ts";
import { metadataIn, readBundle, scopesIn } from "./read-bundle.ts";

export interface ImportedBundle {
  readonly imported: readonly string[];
  /** There already with the same text. */
  readonly unchanged: readonly string[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}
interface Outcome {
  readonly imported: string[];
  readonly unchanged: string[];
  readonly skipped: { file: string; reason: string }[];
}

/** Brings in what a bundle holds, entry by entry and by the rules of every other write; the scopes it gives are kept. */
export async function importBundle(
  project: Project,
  { file, overwrite, cwd }: { file: string; overwrite: boolean; cwd: string },
  writer: Writer,
): Promise<ImportedBundle> {
  const files = readBundle(resolve(cwd, file), file);
  const scopes = scopesIn(files);
  return project.store.write({ purpose: "importing a bundle", created: {} }, async (edit, view) => {
    const outcome: Outcome = { imported: [], unchanged: [], skipped: [] };
    for (const [path, content] of files) {
      if (ownerOf(path) === undefined || path.split("/").at(-1)?.startsWith(".")) continue;
      const text = decodeText(content, path);
      try {
        checkText([{ name: path, text }], writer);
        await importEntry(
          { edit, view, overwrite, outcome, files, scopes, nextId: nextDecisionId(view, edit) },
          path,
          text,
        );
      } catch (thrown) {
        if (!(thrown instanceof DomainError)) throw thrown;
        outcome.skipped.push({ file: path, reason: thrown.message });
      }
    }
    importLines(project, edit, files, outcome);
    return outcome;
  });
}

interface Importing {
  readonly edit: Edit;
  readonly view: View;
  readonly overwrite: boolean;
  readonly outcome: Outcome;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly nextId: number;
}

async function importEntry(importing: Importing, path: string, text: string): Promise<void> {
  const { edit, view, overwrite, outcome, scopes, files } = importing;
  const target = await targetOf(importing, path, text);
  if (target === undefined) {
    outcome.unchanged.push(path);
    return;
  }
  const before = view.at(target);
  if (before?.text === text) {
    outcome.unchanged.push(path);
    return;
  }
  if (before !== undefined && !overwrite) {
    outcome.skipped.push({ file: path, reason: "there is another text under this name; use --overwrite" });
    return;
  }
  // An entry that is private here stays private, whatever the bundle says.
  const scope = scopes.get(path) ?? "public";
  if (before === undefined && scope !== "public") edit.setScope(target, scope);
  edit.put(target, text);
  const metadata = metadataIn(files, path);
  if (metadata !== undefined) edit.setMetadata(target, metadata);
  outcome.imported.push(target);
}

/** A decision whose text is not here yet gets the next id; `undefined` where it is here under any id. */
async function targetOf(
  { view, nextId, edit }: Importing,
  path: string,
  text: string,
): Promise<string | undefined> {
  const owner = ownerOf(path);
  if (owner?.kind === "skill") {
    if (owner.path !== path) throw new DomainError("invalid_input", "only SKILL.md is taken from a skill");
    const name = path.split("/")[1] ?? "";
    await checkSkillFile(text, name);
    return path;
  }
  if (owner?.kind !== "decision") {
    const key = sidecarKey(path).slice(0, -".md".length);
    return `${folderOf(path)}/${normaliseKey(key)}.md`;
  }
  const body = text.replace(/^# .*$/m, "");
  if (view.all("decision").some((entry) => entry.text.replace(/^# .*$/m, "") === body)) return undefined;
  const key = sidecarKey(path).slice(0, -".md".length);
  const isFree = idOf(key) !== undefined && !idsIn(view, edit).has(idOf(key) ?? 0);
  const id = isFree ? (idOf(key) ?? nextId) : nextId;
  return `${FOLDER.decision}/${decisionFileName(id, slugOf(key.replace(/^\d+-?/, "")))}`;
}

const idsIn = (view: View, edit: Edit): ReadonlySet<number> =>
  new Set(
    [...view.all("decision").map(({ path }) => path), ...view.metadata.paths(), ...edit.paths()]
      .filter((path) => path.startsWith(`${FOLDER.decision}/`))
      .map((path) => idOf(sidecarKey(path)) ?? 0),
  );

/** Logs are joined by the ids of their lines. */
function importLines(
  project: Project,
  edit: Edit,
  files: ReadonlyMap<string, Buffer>,
  outcome: Outcome,
): void {
  for (const [path, content] of files) {
    const isLog = path === SESSIONS || /^skills\/[^/]+\/\.(usage|feedback)\.ndjson$/.test(path);
    if (!isLog) continue;
    const mine = linesOf(project.store.readText(path) ?? "");
    const known = new Set(mine.map(lineId));
    const added = linesOf(decodeText(content, path)).filter((line) => !known.has(lineId(line)));
    if (added.length === 0) continue;
    edit.put(path, `${[...mine, ...added].join("\n")}\n`);
    outcome.imported.push(path);
  }
}
