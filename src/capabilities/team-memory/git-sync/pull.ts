import { randomUUID } from "node:crypto";
import { DomainError } from "../../../core/errors.ts";
import type { Renumbered } from "../merge/renumber.ts";
import type { MergedStore } from "../merge/store-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import { land } from "./apply-merge.ts";
import { isPartOf, type Meeting, meet } from "./merge-with-remote.ts";
import { clearPending, type Pending, readPending, writePending } from "./pending.ts";
import { fetchBranch } from "./repository/remote.ts";
import { followed, openRepository, type Repository } from "./repository/repository.ts";
import { lockForSync, type Standing, type SyncDesk, standingOf } from "./sync-context.ts";

const STRATEGIES = ["ours", "theirs", "agent"] as const;
type Strategy = (typeof STRATEGIES)[number];

export type PullResult =
  | { status: "no_remote" }
  | { status: "up_to_date"; renumbered?: Renumbered[] }
  | {
      status: "pulled";
      commit: string;
      auto_resolved: string[];
      renumbered: Renumbered[];
      warnings: string[];
    }
  | {
      status: "merged";
      commit: string;
      strategy: "ours" | "theirs";
      resolved: string[];
      auto_resolved: string[];
      renumbered: Renumbered[];
      warnings: string[];
    }
  | { status: "conflicts"; conflict_id: string; files: string[] };

export async function pull(desk: SyncDesk, wanted: string): Promise<PullResult> {
  const repository = await openRepository(desk.place, desk.settings.branch);
  const strategy = STRATEGIES.find((name) => name === wanted);
  if (strategy === undefined)
    throw new DomainError("invalid_input", `Invalid strategy '${wanted}'. Use: ours, theirs, agent.`);
  if (repository.remote === undefined) return { status: "no_remote" };
  const theirs = await fetchBranch(repository, repository.remote, desk.signal);
  if (theirs === undefined) return { status: "up_to_date" };
  using _lock = await lockForSync(desk);
  return mergeIn(desk, theirs, strategy);
}

/** Merges a commit of the remote's into the store. Call it under the lock. */
export async function mergeIn(desk: SyncDesk, theirs: string, strategy: Strategy): Promise<PullResult> {
  const standing = await standingOf(desk);
  const { repository } = standing;
  if (await isPartOf(repository.top, theirs, repository.head)) {
    await clearPending(desk.place);
    const { renumbered } = standing;
    return { status: "up_to_date", ...(renumbered.length > 0 && { renumbered: [...renumbered] }) };
  }
  refuseUnborn(repository);
  const meeting = await meet(standing, theirs, strategy === "theirs" ? "theirs" : "ours");
  const { merged, base } = meeting;
  if (strategy === "agent" && merged.conflicts.length > 0)
    return putAside(desk, standing, { meeting, theirs });
  const message = `ctx: merge ${followed(repository)}`;
  const { commit, warnings, renumbered } = await land(desk, standing, { theirs, base, merged, message });
  await clearPending(desk.place);
  const common = {
    commit: commit.slice(0, 12),
    auto_resolved: projectPaths(merged.merged),
    renumbered: [...renumbered],
    warnings: [...warnings],
  };
  if (merged.conflicts.length === 0 || strategy === "agent") return { status: "pulled", ...common };
  return { status: "merged", strategy, resolved: conflictPaths(merged), ...common };
}

export const projectPath = (path: string): string => `${STORE_DIRECTORY}/${path}`;
const projectPaths = (paths: readonly string[]) => paths.map(projectPath);
const conflictPaths = (merged: MergedStore) => projectPaths(merged.conflicts.map(({ path }) => path));

/** Nothing is touched: the conflicts are written down for the agent, and what it settled before is kept. */
async function putAside(
  desk: SyncDesk,
  { repository }: Standing,
  { meeting, theirs }: { meeting: Meeting; theirs: string },
): Promise<PullResult> {
  const before = knownPending(desk);
  const conflicts = meeting.merged.conflicts.map(({ path, kind, details, base, ours, theirs: other }) => {
    const known = before?.conflicts.find(
      (file) =>
        file.file_path === projectPath(path) &&
        file.ours_content === (ours ?? null) &&
        file.theirs_content === (other ?? null),
    );
    return {
      file_path: projectPath(path),
      kind,
      details: [...details],
      ours_content: ours ?? null,
      theirs_content: other ?? null,
      base_content: base ?? null,
      resolved: known?.resolved ?? false,
      resolution: known?.resolution ?? null,
    };
  });
  const pending: Pending = {
    conflict_id: before?.theirs_commit === theirs ? before.conflict_id : randomUUID(),
    created_at: desk.now().toISOString(),
    ours_commit: repository.head ?? null,
    theirs_commit: theirs,
    base_commit: meeting.base ?? null,
    auto_resolved: projectPaths(meeting.merged.merged),
    conflicts,
  };
  await writePending(desk.place, pending);
  return {
    status: "conflicts",
    conflict_id: pending.conflict_id,
    files: conflicts.map(({ file_path }) => file_path),
  };
}

/** One that cannot be read is replaced by the conflicts found now. */
function knownPending({ place }: SyncDesk): Pending | undefined {
  try {
    return readPending(place);
  } catch {
    return undefined;
  }
}

function refuseUnborn({ head, isApart, branch }: Repository): void {
  if (head === undefined && !isApart) {
    throw new DomainError(
      "conflict",
      `${branch.replace("refs/heads/", "")} has no commit yet, and the remote has. Run git pull, then sync again.`,
    );
  }
}
