import { decisionsOf } from "../entries/decisions.ts";
import type { MemoryProject } from "../entries/project.ts";
import { proposalsOf } from "../entries/proposals.ts";
import { allStats } from "../entries/skill-events.ts";
import { activityOf, getValue } from "../state/dotpath.ts";
import { sessionsOf } from "../state/sessions.ts";
import { stateOf } from "../state/state.ts";
import type { EntryKind } from "../store/layout.ts";
import type { StoreView } from "../store/store.ts";

/** Counts and names of what the store holds. */
interface StoreSummary {
  readonly initialised: boolean;
  readonly project: string;
  readonly schema_version: string;
  readonly knowledge_count: number;
  readonly knowledge_keys: readonly string[];
  readonly convention_count: number;
  readonly convention_keys: readonly string[];
  readonly decision_count: number;
  readonly decisions: readonly { readonly id: number; readonly title: string; readonly status: string }[];
  readonly skill_count: number;
  readonly skill_names: readonly string[];
  readonly skills_needing_attention: readonly string[];
  readonly pending_proposals: number;
  readonly current_task: string;
  readonly blockers: readonly string[];
  readonly recent_sessions: number;
  readonly active_members: number;
  readonly active_member_names: readonly string[];
  readonly private_count: number;
  readonly problems: readonly string[];
}

export async function summarise(project: MemoryProject, { publicOnly = false } = {}): Promise<StoreSummary> {
  const view = await project.store.view();
  const shown = (kind: EntryKind) => keysOf(view, kind, publicOnly);
  const decisions = decisionsOf(view).filter(
    ({ entry }) => !publicOnly || view.scopes.of(entry.path) === "public",
  );
  const names = await Promise.all([
    getValue(project, "manifest.project.name"),
    getValue(project, "manifest.schema_version"),
  ]);
  const [name, version] = names.map((value) => (typeof value === "string" ? value : ""));
  const state = stateOf(project);
  const members = Object.keys(activityOf(project));
  return {
    initialised: project.store.isInitialised(),
    project: name ?? "",
    schema_version: version ?? "",
    knowledge_count: shown("knowledge").length,
    knowledge_keys: shown("knowledge"),
    convention_count: shown("convention").length,
    convention_keys: shown("convention"),
    decision_count: decisions.length,
    decisions: decisions.map(({ id, text: { title, status } }) => ({ id, title, status })),
    skill_count: shown("skill").length,
    skill_names: shown("skill"),
    skills_needing_attention: (await allStats(project))
      .filter(({ skill, needs_attention }) => needs_attention && shown("skill").includes(skill))
      .map(({ skill }) => skill),
    pending_proposals: proposalsOf(project, view).filter(({ status }) => status === "pending").length,
    current_task: state.current_task,
    blockers: state.blockers,
    recent_sessions: sessionsOf(project, 5).length,
    active_members: members.length,
    active_member_names: members,
    private_count: view.scopes.rows.size,
    problems: view.problems,
  };
}

const keysOf = (view: StoreView, kind: EntryKind, publicOnly: boolean) =>
  view
    .all(kind)
    .filter(({ path }) => !publicOnly || view.scopes.of(path) === "public")
    .map(({ key }) => key);
