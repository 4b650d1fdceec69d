import { hostname } from "node:os";
import { z } from "zod";
import { checkText } from "../entries/check-text.ts";
import { type MemoryProject, type MemoryWriter, makeRemovable } from "../entries/project.ts";
import { putJson, readJson } from "../store/json-files.ts";
import { ACTIVE_STATE, FOLDER } from "../store/layout.ts";
import { skillFiles } from "../store/shared-files.ts";
import type { StoreView } from "../store/store.ts";

/** The current work on this machine. Never committed. */
const MemoryState = z.looseObject({
  current_task: z.string().catch(""),
  blockers: z.array(z.string()).catch([]),
  progress: z.record(z.string(), z.unknown()).catch({}),
  last_agent: z.string().catch(""),
  last_machine: z.string().catch(""),
  updated_at: z.string().nullable().catch(null),
});
type MemoryState = z.infer<typeof MemoryState>;

export const stateOf = ({ store }: MemoryProject): MemoryState => readJson(store, ACTIVE_STATE, MemoryState);

export interface MemoryStateChange {
  /** Blank or absent: no change. */
  readonly current_task?: string | undefined;
  /** Absent: no change. Empty: no blockers. */
  readonly blockers?: string | undefined;
}

export async function updateState(
  project: MemoryProject,
  change: MemoryStateChange,
  writer: MemoryWriter,
): Promise<MemoryState> {
  const { current_task = "", blockers } = change;
  checkText(
    [
      { name: "current task", text: current_task },
      { name: "blockers", text: blockers ?? "" },
    ],
    writer,
  );
  return changeState(project, writer, (state) => ({
    ...state,
    ...(current_task.trim() !== "" && { current_task }),
    ...(blockers !== undefined && { blockers: commaList(blockers) }),
  }));
}

export const changeState = (
  project: MemoryProject,
  { actor, signal }: MemoryWriter,
  change: (state: MemoryState) => MemoryState,
): Promise<MemoryState> =>
  project.store.write({ purpose: "updating the state", signal }, (edit) => {
    const before = stateOf(project);
    const changed = change({ ...before, last_agent: actor, last_machine: hostname() });
    const state: MemoryState = { ...changed, updated_at: project.now() };
    putJson(project.store, edit, ACTIVE_STATE, state);
    return state;
  });

/** Removes the task and every ephemeral entry: they were for this session only. */
export async function clearState(project: MemoryProject): Promise<{ removed: string[] }> {
  // Unreadable entries are removed too: without their scope they would be public.
  for (const path of ephemeralIn(await project.store.view())) await makeRemovable(project, path);
  return project.store.write({ purpose: "clearing the state" }, (edit, view) => {
    edit.remove(ACTIVE_STATE);
    const removed = ephemeralIn(view);
    for (const path of removed) {
      const files = path.startsWith(`${FOLDER.skill}/`)
        ? skillFiles(project.store.directory, path.split("/")[1] ?? "")
        : [path];
      for (const file of files) edit.remove(file);
      edit.setMetadata(path, undefined);
      edit.setScope(path, "public");
    }
    return { removed };
  });
}

const ephemeralIn = ({ scopes }: StoreView): string[] =>
  [...scopes.rows].filter(([, scope]) => scope === "ephemeral").map(([path]) => path);

/** `"a, ,b"` is a and b. */
export const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
