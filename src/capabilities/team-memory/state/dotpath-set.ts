import { DomainError } from "../../../core/errors.ts";
import { checkText } from "../entries/check-text.ts";
import type { MemoryProject, MemoryWriter } from "../entries/project.ts";
import { addText } from "../entries/text-entries.ts";
import { putJson, readJson } from "../store/json-files.ts";
import { isPrototypeName } from "../store/keys.ts";
import { TEAM_PREFERENCES, USER_PREFERENCES } from "../store/layout.ts";
import { Preferences } from "./dotpath.ts";
import { changeState, commaList } from "./state.ts";

const PREFERENCE_FILE = { team: TEAM_PREFERENCES, user: USER_PREFERENCES } as const;
/** Any other field goes into `progress`. */
const STATE_TEXTS = ["current_task", "last_agent", "last_machine"] as const;
const STATE_FIXED = new Set(["progress", "updated_at"]);

export async function setValue(
  project: MemoryProject,
  { dotpath, value }: { dotpath: string; value: string },
  writer: MemoryWriter,
): Promise<void> {
  const [section = "", ...rest] = dotpath.trim().split(".");
  if (rest.some(isPrototypeName) || rest.some((name) => name === "")) throw invalidPath(dotpath);
  if (section === "knowledge" || section === "conventions") {
    const key = rest.join(".");
    if (key === "") throw tooShort(section, "a key");
    const kind = section === "knowledge" ? "knowledge" : "convention";
    await addText(project, { kind, key, content: value }, writer);
    return;
  }
  checkText(
    [
      { name: "dotpath", text: dotpath },
      { name: "value", text: value },
    ],
    writer,
  );
  if (section === "state") return setState(project, { rest, value }, writer);
  if (section === "preferences") return setPreference(project, { rest, value }, writer);
  throw new DomainError("invalid_input", `Cannot set values in section '${section}'`, { reason: "section" });
}

/** A value and its path below the section. */
interface ValueToSet {
  readonly rest: readonly string[];
  readonly value: string;
}

async function setState(
  project: MemoryProject,
  { rest, value }: ValueToSet,
  writer: MemoryWriter,
): Promise<void> {
  const [field] = rest;
  if (field === undefined) throw tooShort("state", "a field");
  if (rest.length > 1 || STATE_FIXED.has(field)) throw invalidPath(`state.${rest.join(".")}`);
  const text = STATE_TEXTS.find((name) => name === field);
  await changeState(project, writer, (state) => {
    if (text !== undefined) return { ...state, [text]: value };
    if (field === "blockers") return { ...state, blockers: commaList(value) };
    return { ...state, progress: { ...state.progress, [field]: value } };
  });
}

async function setPreference(
  { store }: MemoryProject,
  { rest: [whose = "", ...names], value }: ValueToSet,
  { signal }: MemoryWriter,
): Promise<void> {
  const key = names.join(".");
  if ((whose !== "team" && whose !== "user") || key === "")
    throw tooShort("preferences", "team.KEY or user.KEY");
  const file = PREFERENCE_FILE[whose];
  await store.write({ purpose: "setting a preference", signal }, (edit) => {
    const before = readJson(store, file, Preferences);
    putJson(store, edit, file, { ...before, values: { ...before.values, [key]: value } });
  });
}

const invalidPath = (dotpath: string) =>
  new DomainError("invalid_input", `Cannot set '${dotpath}'`, { reason: "dotpath" });

const tooShort = (section: string, what: string) =>
  new DomainError("invalid_input", `Cannot set '${section}' as a whole: name ${what}`, { reason: "dotpath" });
