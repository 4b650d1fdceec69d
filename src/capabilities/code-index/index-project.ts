import { DomainError } from "../../core/errors.ts";
import { refuseTooWide } from "../../core/files/allowed-roots.ts";
import { hasChecksum } from "../../core/store/checked-file.ts";
import { startFromNearest } from "./base/index-bases.ts";
import { recordOrigin } from "./base/local-base.ts";
import {
  type IndexRequest,
  IndexRun,
  type ProjectScan,
  type RunContext,
  requestMetadata,
  type TreeStates,
} from "./index-run.ts";
import { RunStatistics } from "./run-statistics.ts";
import { type ChangedPaths, changedPaths } from "./scan/changed-files.ts";
import { discoverFiles } from "./scan/discover.ts";
import { readGitState, treeStateOf } from "./scan/tree-state.ts";
import type { IndexOutput } from "./schemas.ts";
import { type IndexMetadata, includesMetadata, openCodeStore, readMetadata } from "./store/code-store.ts";
import { currentIndexFile, discardBuild } from "./store/generations.ts";
import { lockProject, openProgressFile } from "./store/run-lock.ts";

/** How long an update waits for a run in another process. */
const UPDATE_WAIT_MS = 600_000;

/** Brings the index of a project up to date with its files. One run at a time for each project, in any process. */
export async function indexProject(request: IndexRequest, context: RunContext): Promise<IndexOutput> {
  const started = performance.now();
  const startedAt = Date.now();
  const { project, force } = request;
  const { signal } = context;
  const wasIndexed = currentIndexFile(project) !== undefined;
  if (!wasIndexed && !force)
    refuseTooWide(project.root, "contextful code index PATH --force (force_reindex)");
  const firstScan = wasIndexed ? undefined : await scanProject(request, startedAt, signal);
  // We create no data for a directory that is not a project. An indexed project may lose its last source file.
  if (firstScan && !firstScan.hasSource && !firstScan.hasGoMod) throw notAProject();
  using _lock = request.isUpdate
    ? await lockProject(project, UPDATE_WAIT_MS, { isUpdate: true, signal })
    : await lockProject(project);
  // If another process has indexed the project meanwhile, it may know files that the first scan does not.
  const isIndexed = currentIndexFile(project) !== undefined;
  const scanned = isIndexed ? undefined : firstScan;
  const seen = scanned ?? (await readStates(project.root, startedAt, signal));
  const compared = isIndexed && !force ? await compareWithGit(request, context, seen) : undefined;
  if (compared?.isUnchanged) {
    discardBuild(project);
    return outputOfUnchanged(request, compared, started);
  }
  using progressFile = openProgressFile(project, context.now());
  const state = { ...seen, progressFile, startedAt };
  if (compared?.changed) {
    const { changed, file } = compared;
    const files = await discoverFiles(project.root, request, signal, changed.paths);
    const run = new IndexRun(request, context, { ...files, ...state, changed });
    if (await run.updateInPlace(file)) {
      discardBuild(project);
      return run.output(started);
    }
  }
  const files = scanned ?? (await discoverFiles(project.root, request, signal));
  if (!isIndexed && !force) await startFromNearest(project, context);
  const run = new IndexRun(request, context, { ...files, ...state });
  await run.bringUpToDate();
  await recordOrigin(project, signal);
  return run.output(started);
}

/** Reads the state before the list: a change in between makes them differ, and the next run notices. */
async function scanProject(request: IndexRequest, now: number, signal: AbortSignal): Promise<ProjectScan> {
  const states = await readStates(request.project.root, now, signal);
  return { ...(await discoverFiles(request.project.root, request, signal)), ...states };
}

async function readStates(root: string, now: number, signal: AbortSignal): Promise<TreeStates> {
  const git = await readGitState(root, signal);
  return { git, treeState: git && treeStateOf(root, git, now) };
}

const notAProject = () =>
  new DomainError("not_found", "There is neither a go.mod nor any source code in this directory.", {
    reason: "not_a_project",
    details: { param: "path" },
  });

interface ComparedIndex {
  readonly file: string;
  readonly metadata: IndexMetadata;
  readonly isUnchanged: boolean;
  readonly changed: ChangedPaths | undefined;
}

/** If git says that nothing changed since the last run, or what did, the files need not be listed. */
async function compareWithGit(
  request: IndexRequest,
  { embeddings }: RunContext,
  { git, treeState }: TreeStates,
): Promise<ComparedIndex | undefined> {
  const { project } = request;
  const file = currentIndexFile(project);
  if (git === undefined || file === undefined) return undefined;
  try {
    using code = await openCodeStore(file, embeddings, { readOnly: true });
    const metadata = readMetadata(code);
    if (!includesMetadata(metadata, requestMetadata(request))) return undefined;
    // A run that was killed left no checksum: this one writes it.
    const isUnchanged = treeState !== undefined && metadata["tree_state"] === treeState && hasChecksum(file);
    const changed = isUnchanged ? undefined : changedPaths(code, project.root, git);
    return { file, metadata, isUnchanged, changed };
  } catch {
    // The run that follows reports the damage and rebuilds the index.
    return undefined;
  }
}

function outputOfUnchanged(
  { project }: IndexRequest,
  { file, metadata }: ComparedIndex,
  started: number,
): IndexOutput {
  const statistics = new RunStatistics();
  const unchanged = Number(metadata["source_files"]);
  statistics.addPlan({ toPrepare: [], removed: [], unchanged }, unchanged);
  return statistics.output({ project, file, started });
}
