import { z } from "zod";
import { byCodeUnit } from "../../../core/order.ts";
import { decisionsOf, getDecision } from "../entries/decisions.ts";
import { findAny } from "../entries/entry-scopes.ts";
import { aboutEntry, type MemoryProject } from "../entries/project.ts";
import { listSkills } from "../entries/skills.ts";
import { listText, type TextEntryKind } from "../entries/text-entries.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { readJson } from "../store/json-files.ts";
import { isPrototypeName } from "../store/keys.ts";
import {
  ACTIVITY_FOLDER,
  type EntryKind,
  KINDS,
  MANIFEST,
  TEAM_PREFERENCES,
  USER_PREFERENCES,
} from "../store/layout.ts";
import { listFolder } from "../store/read-file.ts";
import type { StoreView } from "../store/store.ts";
import { sessionsOf } from "./sessions.ts";
import { stateOf } from "./state.ts";

export const Preferences = z.looseObject({ values: z.record(z.string(), z.unknown()).catch({}) });
const AnyObject = z.record(z.string(), z.unknown());

type ValueGetter = (project: MemoryProject, rest: readonly string[]) => Promise<unknown> | unknown;
const GETTERS: Readonly<Record<string, ValueGetter>> = {
  knowledge: (project, rest) => getTexts(project, "knowledge", rest),
  conventions: (project, rest) => getTexts(project, "convention", rest),
  decisions: getDecisions,
  skills: getSkills,
  state: (project, [field, ...rest]) => {
    const state = stateOf(project);
    if (field === undefined) return state;
    return walk(state, [field, ...rest]) ?? walk(state.progress, [field, ...rest]);
  },
  preferences: getPreferences,
  manifest: ({ store }, rest) =>
    store.isInitialised() ? walk(readJson(store, MANIFEST, AnyObject), rest) : undefined,
  activity: (project, rest) => walk(activityOf(project), rest),
  history: (project, rest) => walk(sessionsOf(project), rest),
  about: getAbout,
};

/** `undefined` if there is no value. Only own properties of the listed sections can be reached. */
export async function getValue(project: MemoryProject, dotpath: string): Promise<unknown> {
  const [section = "", ...rest] = dotpath.trim().split(".");
  const get = Object.hasOwn(GETTERS, section) ? GETTERS[section] : undefined;
  if (get === undefined || rest.some(isPrototypeName)) return undefined;
  return get(project, rest);
}

/** A key may contain dots; other programs may store nested objects instead. */
function getPreferences({ store }: MemoryProject, [whose, ...rest]: readonly string[]): unknown {
  const values = {
    team: readJson(store, TEAM_PREFERENCES, Preferences).values,
    user: readJson(store, USER_PREFERENCES, Preferences).values,
  };
  if (whose === undefined) return values;
  return walk(values, [whose, rest.join(".")]) ?? walk(values, [whose, ...rest]);
}

async function getTexts(
  project: MemoryProject,
  kind: TextEntryKind,
  rest: readonly string[],
): Promise<unknown> {
  const view = await project.store.view();
  const key = rest.join(".");
  if (key === "") {
    return Object.fromEntries((await listText(project, kind)).map((entry) => [entry.key, entry.content]));
  }
  const entry = lookUp(view, kind, key);
  if (entry !== undefined) project.noteRead(entry.path);
  return entry?.text;
}

/** An id or title, optionally with a field. Titles may contain dots: a last part that is not a field belongs to the title. */
async function getDecisions(project: MemoryProject, rest: readonly string[]): Promise<unknown> {
  const view = await project.store.view();
  if (rest.length === 0) {
    return decisionsOf(view).map(({ id, text: { title, status } }) => ({ id, title, status }));
  }
  const [whole, start, field] = [rest.join("."), rest.slice(0, -1).join("."), rest.at(-1) ?? ""];
  const value = start === "" ? undefined : walk(await decisionAt(project, view, start), [field]);
  // A number is an id and nothing else.
  return value ?? (rest.length > 1 && /^\d+$/.test(start) ? undefined : decisionAt(project, view, whole));
}

async function decisionAt(project: MemoryProject, view: StoreView, wanted: string): Promise<unknown> {
  if (lookUp(view, "decision", wanted) === undefined) return undefined;
  const { key: _key, ...decision } = await getDecision(project, wanted);
  return decision;
}

async function getSkills(project: MemoryProject, [name, ...more]: readonly string[]): Promise<unknown> {
  if (name === undefined) {
    return Object.fromEntries((await listSkills(project)).map((skill) => [skill.name, skill.description]));
  }
  const entry = lookUp(await project.store.view(), "skill", name);
  if (entry !== undefined) project.noteRead(entry.path);
  return more.length === 0 ? entry?.text : undefined;
}

/** `about.knowledge.KEY`: scope, author, dates, anchors and whether it is suspect. */
async function getAbout(project: MemoryProject, [type, ...rest]: readonly string[]): Promise<unknown> {
  const kind = KINDS.find((known) => known === type || `${known}s` === type);
  const view = await project.store.view();
  const entry = kind === undefined ? undefined : lookUp(view, kind, rest.join("."));
  return entry === undefined ? undefined : aboutEntry(project, view, entry);
}

/** Who works on what, as recorded by other programs of this format. A member's name is a plain file name. */
export function activityOf({ store }: MemoryProject): Record<string, unknown> {
  const members: [string, unknown][] = [];
  for (const file of activityFiles(store.directory)) {
    if (!/^[^./][^/]*\.json$/.test(file)) continue;
    members.push([file.slice(0, -".json".length), readJson(store, `${ACTIVITY_FOLDER}/${file}`, AnyObject)]);
  }
  return Object.fromEntries(members);
}

function activityFiles(directory: string): string[] {
  try {
    return listFolder(directory, ACTIVITY_FOLDER)
      .map(({ name }) => name)
      .sort(byCodeUnit);
  } catch {
    return [];
  }
}

/** An unreadable entry has no value; the status lists it. */
function lookUp(view: StoreView, kind: EntryKind, key: string): MemoryEntry | undefined {
  try {
    return findAny(view, kind, key);
  } catch {
    return undefined;
  }
}

/** Own properties only, so that the prototype is never reached. */
function walk(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined;
    current = Reflect.get(current, name);
  }
  return current ?? undefined;
}
