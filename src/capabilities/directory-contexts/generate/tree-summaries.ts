import { isDeepStrictEqual } from "node:util";
import { parentOf } from "../read/scan-directories.ts";
import type { ProjectSurvey, SurveyEntry } from "../read/survey.ts";
import { subdirectories } from "./draft.ts";

/** The summary of each scope. It grows during a run, from the deepest directories up. */
export type SummaryByScope = ReadonlyMap<string, string>;

export interface ProjectTree {
  readonly survey: ProjectSurvey;
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Directories of the survey that get no context. It grows during a run, like the summaries. */
  readonly leftOut: ReadonlySet<string>;
}

const MAX_STRUCTURE = 40;

export const summariesOf = ({ entries }: ProjectSurvey): Map<string, string> =>
  new Map(
    entries.flatMap(({ scope, reading }) =>
      reading.kind === "read" ? [[scope, reading.context.summary] as const] : [],
    ),
  );

/** A fingerprint covers a directory's own files only, so a fresh context may have outdated child summaries. */
export function hasOutdatedChildren(
  { scope, reading }: SurveyEntry,
  tree: ProjectTree,
  summaries: SummaryByScope,
): boolean {
  if (reading.kind !== "read") return false;
  const { context } = reading;
  const differs = (field: "subdirectories" | "structure", now: readonly unknown[]) =>
    (context[field] === undefined || context.derived_fields?.includes(field) === true) &&
    !isDeepStrictEqual(context[field] ?? [], now);
  return (
    differs("subdirectories", subdirectories(childrenOf(scope, tree, summaries))) ||
    (scope === "." && differs("structure", structureOf(tree, summaries)))
  );
}

/** The children of a scope, with their summaries. */
export const childrenOf = (scope: string, tree: ProjectTree, summaries: SummaryByScope) =>
  describedBelow(scope, tree).map((child) => ({
    name: scope === "." ? child : child.slice(scope.length + 1),
    summary: summaries.get(child) ?? "",
  }));

/** What is below a directory that is left out belongs to the one above it. */
const describedBelow = (scope: string, tree: ProjectTree): string[] =>
  (tree.children.get(scope) ?? []).flatMap((child) =>
    tree.leftOut.has(child) ? describedBelow(child, tree) : [child],
  );

/** Scopes by the nearest directory above them that has a context. */
export function childScopes({ entries }: ProjectSurvey): Map<string, string[]> {
  const described = new Set(entries.map(({ scope }) => scope));
  const children = new Map<string, string[]>();
  for (const { scope } of entries) {
    if (scope === ".") continue;
    const above = describedAbove(scope, described);
    const siblings = children.get(above);
    if (siblings) siblings.push(scope);
    else children.set(above, [scope]);
  }
  return children;
}

function describedAbove(scope: string, described: ReadonlySet<string>): string {
  let above = parentOf(scope);
  while (above !== "." && !described.has(above)) above = parentOf(above);
  return above;
}

/** The project for the root's context: its sources, and the first two levels of described directories. */
export const projectOf = (tree: ProjectTree, summaries: SummaryByScope) => ({
  sources: tree.survey.entries.flatMap(({ directory }) => directory.sources),
  structure: structureOf(tree, summaries),
});

function structureOf(tree: ProjectTree, summaries: SummaryByScope) {
  const first = new Set([".", ...describedBelow(".", tree)]);
  const listed = new Set([...first].flatMap((scope) => describedBelow(scope, tree)));
  return tree.survey.entries
    .filter(({ scope }) => listed.has(scope))
    .slice(0, MAX_STRUCTURE)
    .map(({ scope }) => ({ path: scope, summary: summaries.get(scope) ?? "" }));
}
