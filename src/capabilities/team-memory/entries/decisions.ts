import { DomainError } from "../../../core/errors.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { requireVisible, slugOf } from "../store/keys.ts";
import { FOLDER } from "../store/layout.ts";
import { parseScope } from "../store/scopes.ts";
import type { StoreView } from "../store/store.ts";
import { checkText, oneLine } from "./check-text.ts";
import { findContradictions } from "./contradictions.ts";
import { type DecisionText, decisionFileName, idOf, parseDecision, printDecision } from "./decision-file.ts";
import { aboutEntry, type MemoryProject, type MemoryWriter, makeRemovable, sign } from "./project.ts";
import type { MemoryDecision, NewDecision, RecordedDecision, Removal } from "./schemas.ts";
import { findSimilar } from "./similar.ts";
import { everyEntry, noEntry, notRemoved } from "./text-entries.ts";

const MAX_TITLE = 200;

export async function recordDecision(
  project: MemoryProject,
  wanted: NewDecision,
  writer: MemoryWriter,
): Promise<RecordedDecision> {
  const scope = parseScope(wanted.scope ?? "");
  const title = oneLine(wanted.title);
  if (title === "") throw refused("A decision needs a title.");
  if (title.length > MAX_TITLE) throw refused(`The title is too long: at most ${MAX_TITLE} characters.`);
  const { context = "", decision = "", consequences = "" } = wanted;
  checkText(
    Object.entries({ title, context, decision, consequences }).map(([name, text]) => ({ name, text })),
    writer,
  );
  return project.store.write(
    { purpose: "recording a decision", signal: writer.signal },
    async (edit, view) => {
      const id = nextAfter(takenIds(view));
      const path = `${FOLDER.decision}/${decisionFileName(id, slugOf(title))}`;
      const author = oneLine(writer.actor);
      const date = project.now().slice(0, 10);
      const text: DecisionText = { title, date, status: "accepted", author, context, decision, consequences };
      if (scope !== undefined && scope !== "public") edit.setScope(path, scope);
      const file = printDecision(id, text);
      edit.put(path, file);
      await sign(project, edit, { path, actor: writer.actor, anchored: wanted.anchors });
      const similar = findSimilar(file, everyEntry(view), path);
      const contradicts = findContradictions(`${title}.\n${decision}`, view);
      return {
        id,
        title,
        scope: edit.scopeOf(path),
        ...(similar.length > 0 && { similar }),
        ...(contradicts.length > 0 && { contradicts }),
      };
    },
  );
}

/** In the order of their ids. Files without a number are ignored. */
export function decisionsOf(view: StoreView): { id: number; entry: MemoryEntry; text: DecisionText }[] {
  return view
    .all("decision")
    .flatMap((entry) => {
      const id = idOf(entry.key);
      return id === undefined ? [] : [{ id, entry, text: parseDecision(entry.text) }];
    })
    .sort((a, b) => a.id - b.id);
}

/** A number is an id and nothing else. A title is found whole, or by a part that only one title has. */
export function findDecision(view: StoreView, wanted: string): MemoryEntry | undefined {
  const exact = exactDecision(view, wanted);
  if (exact !== undefined || /^\s*\d*\s*$/.test(wanted)) return exact;
  const slug = slugOf(wanted);
  const [only, ...more] = decisionsOf(view).filter(({ entry }) => entry.key.includes(slug));
  return more.length === 0 ? only?.entry : undefined;
}

/** By id, file name or whole title. */
function exactDecision(view: StoreView, wanted: string): MemoryEntry | undefined {
  requireVisible(wanted);
  const decisions = decisionsOf(view);
  const name = wanted.trim();
  if (/^\d+$/.test(name)) return decisions.find(({ id }) => id === Number(name))?.entry;
  return decisions.find(
    ({ entry, text }) => entry.key === name || text.title.toLowerCase() === name.toLowerCase(),
  )?.entry;
}

export async function getDecision(project: MemoryProject, wanted: string): Promise<MemoryDecision> {
  const view = await project.store.view();
  const entry = findDecision(view, wanted);
  if (entry === undefined) throw noEntry("decision", wanted);
  project.noteRead(entry.path);
  return fullDecision(project, view, entry);
}

export async function listDecisions(project: MemoryProject): Promise<MemoryDecision[]> {
  const view = await project.store.view();
  const listed: MemoryDecision[] = [];
  for (const { entry } of decisionsOf(view)) listed.push(await fullDecision(project, view, entry));
  return listed;
}

/** The ids that decisions have or had. An id is never used again. */
function takenIds(view: StoreView): Set<number> {
  const paths = [...view.paths("decision"), ...view.metadata.paths()];
  return new Set(
    paths
      .filter((path) => path.startsWith(`${FOLDER.decision}/`))
      .flatMap((path) => idOf(path.slice(FOLDER.decision.length + 1)) ?? []),
  );
}

const nextAfter = (ids: ReadonlySet<number>): number =>
  [...ids].reduce((most, id) => Math.max(most, id), 0) + 1;

/** Takes an id or a whole title. The id is never used again: its metadata row stays. */
export async function removeDecision(project: MemoryProject, wanted: string): Promise<Removal> {
  const view = await project.store.view();
  const path = exactDecision(view, wanted)?.path ?? unreadableDecision(view, wanted);
  if (path === undefined) {
    const meant = findDecision(view, wanted);
    return notRemoved(meant === undefined ? undefined : parseDecision(meant.text).title);
  }
  await makeRemovable(project, path);
  const isRemoved = await project.store.write({ purpose: "removing a decision" }, (edit, now) => {
    if (!now.has(path)) return false;
    edit.remove(path);
    edit.setMetadata(path, { removed_at: project.now() });
    return true;
  });
  return isRemoved ? { status: "removed" } : notRemoved(undefined);
}

/** By id or file name, because its title cannot be read. */
function unreadableDecision(view: StoreView, wanted: string): string | undefined {
  const name = wanted.trim();
  const isNamed = (key: string) => key === name || (/^\d+$/.test(name) && idOf(key) === Number(name));
  return view
    .paths("decision")
    .find(
      (path) => view.at(path) === undefined && isNamed(path.slice(FOLDER.decision.length + 1, -".md".length)),
    );
}

async function fullDecision(
  project: MemoryProject,
  view: StoreView,
  entry: MemoryEntry,
): Promise<MemoryDecision> {
  const about = await aboutEntry(project, view, entry);
  return { id: idOf(entry.key) ?? 0, key: entry.key, ...about, ...parseDecision(entry.text) };
}

const refused = (message: string) => new DomainError("invalid_input", message, { reason: "title" });
