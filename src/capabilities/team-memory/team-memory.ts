import type { Machine } from "../../core/machine.ts";
import { getDecision, listDecisions, recordDecision, removeDecision } from "./entries/decisions.ts";
import { getScope, setScope } from "./entries/entry-scopes.ts";
import { type MemoryWriter, openProjects } from "./entries/project.ts";
import { proposalsOf, proposeImprovement, resolveProposal } from "./entries/proposals.ts";
import { publicEntries } from "./entries/public-entries.ts";
import type { NewDecision } from "./entries/schemas.ts";
import { allStats, feedbackOf, rateSkill, reportUsage, reviewSkills } from "./entries/skill-events.ts";
import {
  addSkill,
  describeSkill,
  listSkills,
  type NewSkill,
  removeSkill,
  requireSkill,
} from "./entries/skills.ts";
import {
  addText,
  getText,
  listText,
  type NewText,
  removeText,
  type TextEntryKind,
} from "./entries/text-entries.ts";
import { saveReads } from "./report/reads.ts";
import { summarise } from "./report/summary.ts";
import { type MemorySearchOptions, openSearch } from "./search/search.ts";
import { getValue } from "./state/dotpath.ts";
import { setValue } from "./state/dotpath-set.ts";
import { appendSession, findSession, type NewSession, removeSession, sessionsOf } from "./state/sessions.ts";
import { clearState, type MemoryStateChange, stateOf, updateState } from "./state/state.ts";
import { locate } from "./store/locate.ts";
import { initStore } from "./store/manifest.ts";
import type { OwnWrites } from "./store/own-writes.ts";

/** The behaviour of the room, on the project the machine serves. */
export function openMemory(machine: Machine) {
  const project = openProjects(machine);
  const search = openSearch(machine);
  return {
    project,
    addText: (kind: TextEntryKind, text: NewText, writer: MemoryWriter) =>
      addText(project(), { kind, ...text }, writer),
    getText: (kind: TextEntryKind, key: string) => getText(project(), kind, key),
    listText: (kind: TextEntryKind) => listText(project(), kind),
    removeText: (kind: TextEntryKind, key: string, writer: MemoryWriter) =>
      removeText(project(), { kind, key }, writer),
    recordDecision: (wanted: NewDecision, writer: MemoryWriter) => recordDecision(project(), wanted, writer),
    getDecision: (wanted: string) => getDecision(project(), wanted),
    listDecisions: () => listDecisions(project()),
    removeDecision: (wanted: string) => removeDecision(project(), wanted),
    addSkill: (wanted: NewSkill, writer: MemoryWriter) => addSkill(project(), wanted, writer),
    removeSkill: (name: string, writer: MemoryWriter) => removeSkill(project(), name, writer),
    listSkills: () => listSkills(project()),
    async getSkill(name: string) {
      const here = project();
      const view = await here.store.view();
      const entry = requireSkill(view, name);
      here.noteRead(entry.path);
      return describeSkill(here, view, entry);
    },
    reportUsage: (name: string, writer: MemoryWriter) => reportUsage(project(), name, writer),
    rateSkill: (rating: { name: string; rating: number; comment: string }, writer: MemoryWriter) =>
      rateSkill(project(), rating, writer),
    skillStats: () => allStats(project()),
    skillReview: () => reviewSkills(project()),
    skillFeedback: (name: string) => feedbackOf(project(), name),
    propose: (proposal: { name: string; content: string; rationale: string }, writer: MemoryWriter) =>
      proposeImprovement(project(), proposal, writer),
    async proposals(skill: string) {
      const here = project();
      return proposalsOf(here, await here.store.view(), skill);
    },
    resolveProposal: (
      wanted: { name: string; idPrefix: string; accept: boolean; force: boolean },
      writer: MemoryWriter,
    ) => resolveProposal(project(), wanted, writer),
    state: () => stateOf(project()),
    updateState: (change: MemoryStateChange, writer: MemoryWriter) => updateState(project(), change, writer),
    clearState: () => clearState(project()),
    appendSession: (wanted: NewSession, writer: MemoryWriter) => appendSession(project(), wanted, writer),
    getSession: (id: string) => findSession(project(), id),
    removeSession: (id: string) => removeSession(project(), id),
    sessions: (most?: number) => sessionsOf(project(), most),
    summary: () => summarise(project()),
    init: (wanted: Parameters<typeof initStore>[1]) => initStore(project().store, wanted),
    async audit(options: { staleDays: number }) {
      const { audit } = await import("./report/audit.ts");
      return audit(project(), options);
    },
    publicEntries: () => publicEntries(project()),
    // Outside a project there is nothing to save.
    close: async () => {
      await Promise.resolve()
        .then(() => saveReads(project()))
        .catch(() => undefined);
    },
    /** What this process has written to the store of the project. */
    written: (): OwnWrites => (locate(machine.root) ? project().store.written : new Map()),
    getScope: (type: string, key: string) => getScope(project(), type, key),
    setScope: (wanted: { type: string; key: string; scope: string }, writer: MemoryWriter) =>
      setScope(project(), wanted, writer),
    getValue: (dotpath: string) => getValue(project(), dotpath),
    setValue: (dotpath: string, value: string, writer: MemoryWriter) =>
      setValue(project(), { dotpath, value }, writer),
    search: async (wanted: MemorySearchOptions) => search(project(), wanted),
  };
}
export type MemoryOperations = ReturnType<typeof openMemory>;
