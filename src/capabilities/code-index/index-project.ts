import { DomainError } from "../../core/errors.ts";
import { refuseTooWide } from "../../core/files/allowed-roots.ts";
import type { Embeddings } from "../../core/search/index.ts";
import {
  type IndexReport,
  type IndexRequest,
  type IndexSurroundings,
  type Look,
  secondsSince,
} from "./index-request.ts";
import { IndexRun } from "./index-run.ts";
import { RunTally } from "./run-statistics.ts";
import { discover } from "./scan/discover.ts";
import { treeState as stateOfTree } from "./scan/tree-state.ts";
import { openCodeStore } from "./store/code-store.ts";
import { factsOfRequest, hasFacts, readFacts } from "./store/facts.ts";
import { currentFile, discardBuild, sizeOf } from "./store/generations.ts";
import { lockProject, openNote } from "./store/run-lock.ts";

/** Brings the index of a project up to date with its files. One run at a time for each project, in any process. */
export async function indexProject(request: IndexRequest, around: IndexSurroundings): Promise<IndexReport> {
  const started = performance.now();
  const startedAt = Date.now();
  const { project } = request;
  const isKnown = currentFile(project) !== undefined;
  if (!isKnown && !request.force)
    refuseTooWide(project.root, "contextful code index PATH --force (force_reindex)");
  const first = isKnown ? undefined : await look(request, startedAt, around.signal);
  // Nothing of ours is made for a directory that is no project; one that was may lose its last file.
  if (first && !first.found.hasSource && !first.found.hasGoMod) throw notAProject();
  using _lock = await lockProject(project);
  if (first === undefined && !request.force) {
    const treeState = await stateOfTree(project.root, startedAt, around.signal);
    const report = await unchangedReport(request, { treeState, embeddings: around.embeddings, started });
    if (report) {
      discardBuild(project);
      return report;
    }
  }
  const seen = first ?? (await look(request, startedAt, around.signal));
  using note = openNote(project, around.now());
  const run = new IndexRun(request, around, { ...seen, note, startedAt });
  await run.bringUpToDate();
  return run.report(started);
}

/** The state is taken before the list: what changes in between differs from it and is noticed next time. */
async function look(request: IndexRequest, now: number, signal: AbortSignal): Promise<Look> {
  const treeState = await stateOfTree(request.project.root, now, signal);
  const found = await discover(request.project.root, request, signal);
  return { found, treeState };
}

const notAProject = () =>
  new DomainError(
    "not_found",
    "There is neither a go.mod nor source code in a language we know in this directory.",
    {
      reason: "not_a_project",
      details: { param: "path" },
    },
  );

/** Where git says that nothing has moved since the last run, there is nothing to look at. */
async function unchangedReport(
  request: IndexRequest,
  at: { readonly treeState: string | undefined; readonly embeddings: Embeddings; readonly started: number },
): Promise<IndexReport | undefined> {
  const file = currentFile(request.project);
  if (at.treeState === undefined || file === undefined) return undefined;
  try {
    using code = await openCodeStore(file, at.embeddings, { readOnly: true });
    const facts = readFacts(code);
    if (!hasFacts(facts, { ...factsOfRequest(request), tree_state: at.treeState })) return undefined;
    const tally = new RunTally([]);
    const skipped = Number(facts["source_files"]);
    tally.plan({ work: [], removed: [], skipped }, skipped);
    return tally.report({ seconds: secondsSince(at.started), bytes: sizeOf(file) });
  } catch {
    // Damage is told, and mended, by the run that follows.
    return undefined;
  }
}
