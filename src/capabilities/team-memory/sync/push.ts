import { existsSync } from "node:fs";
import { join } from "node:path";
import { lockForSync, type SyncDesk, standingOf } from "./desk.ts";
import { commitDisk } from "./land.ts";
import { readPending } from "./pending.ts";
import { mergeIn, projectPath } from "./pull.ts";
import { fetchBranch, type PushOutcome, pushCommit } from "./remote.ts";
import { aheadBehind, openRepository, type Repository, refused, shortBranch } from "./repository.ts";
import type { Remote } from "./settings.ts";
import { hasPushHook, type Unpublished, unpublishedTo } from "./unpublished.ts";

export type PushResult =
  | { status: "nothing_to_push" }
  | {
      status: "pushed" | "committed";
      commit: string;
      push_error?: string;
      ahead?: number;
      behind?: number;
      warnings: string[];
    };

export interface PushOptions {
  readonly message?: string;
  /** At shutdown: nothing that takes long, nothing of the user's own is published. */
  readonly isParting?: boolean;
}

export async function push(
  desk: SyncDesk,
  { message = "", isParting = false }: PushOptions,
): Promise<PushResult> {
  // A store that is gone as a whole was not removed entry by entry: nothing is deleted for the team.
  if (!existsSync(desk.place.directory)) return { status: "nothing_to_push" };
  if (readPending(desk.place))
    throw refused(
      "A merge waits for decisions. Finish it with context_merge_finalize or context_merge_abort, then push again.",
    );
  const committed = await commitLocal(desk, message);
  const { repository } = committed;
  if (repository.head === undefined) return { status: "nothing_to_push" };
  const state = { commit: short(repository.head), warnings: committed.warnings };
  if (repository.remote === undefined)
    return committed.isNew ? { status: "committed", ...state } : { status: "nothing_to_push" };
  const waiting = await unpublishedTo(repository, repository.remote);
  if (waiting.ofStore === 0) return { status: "nothing_to_push" };
  const reason = whyNot(repository, waiting, isParting);
  if (reason !== undefined) return { status: "committed", ...state, push_error: reason };
  if (waiting.own > 0) state.warnings.push(`${waiting.own} commits of your own were published with it`);
  return deliver(desk, repository, { remote: repository.remote, state, isParting });
}

/** Why a commit stays here though there is a remote. */
function whyNot(repository: Repository, waiting: Unpublished, isParting: boolean): string | undefined {
  if (hasPushHook(repository))
    return "This repository checks pushes with a pre-push hook. Run git push yourself.";
  if (!isParting) return undefined;
  if (waiting.own > 0)
    return `Not pushed: ${waiting.own} commits of your own on this branch would have been published with it.`;
  return waiting.isNewBranch
    ? `Not pushed: the remote has no branch ${shortBranch(repository)} yet.`
    : undefined;
}

interface Delivery {
  readonly remote: Remote;
  readonly state: { commit: string; warnings: string[] };
  readonly isParting: boolean;
}

/** Pushes; where someone was faster, merges theirs once and tries again. */
async function deliver(
  desk: SyncDesk,
  repository: Repository,
  { remote, state, isParting }: Delivery,
): Promise<PushResult> {
  const send = (commit: string): Promise<PushOutcome> =>
    pushCommit(repository, remote, { commit, signal: desk.signal });
  const first = await send(repository.head ?? "");
  if (first.isPushed) return { status: "pushed", ...state };
  if (!first.isRejected || isParting) return notDelivered(repository, remote, { state, error: first.error });
  const theirs = await fetchBranch(repository, remote, desk.signal);
  if (theirs === undefined) return notDelivered(repository, remote, { state, error: first.error });
  const merged = await lockedMerge(desk, theirs);
  if (merged.status === "conflicts") {
    return notDelivered(repository, remote, {
      state,
      error: `The remote changed the same entries: ${merged.files.join(", ")}. Settle them with context_conflict_detail, then push again.`,
    });
  }
  const head = (await openRepository(desk.place, desk.settings.branch)).head ?? "";
  const second = await send(head);
  const now = { ...state, commit: short(head) };
  return second.isPushed
    ? { status: "pushed", ...now }
    : notDelivered({ ...repository, head }, remote, { state: now, error: second.error });
}

async function lockedMerge(desk: SyncDesk, theirs: string) {
  using _lock = await lockForSync(desk);
  return mergeIn(desk, theirs, "agent");
}

async function notDelivered(
  repository: Repository,
  remote: Remote,
  { state, error }: { state: { commit: string; warnings: string[] }; error: string },
): Promise<PushResult> {
  const counts = await aheadBehind(repository.top, repository.head ?? "", remote.trackingRef);
  return { status: "committed", ...state, push_error: error, ...counts };
}

async function commitLocal(desk: SyncDesk, message: string) {
  using _lock = await lockForSync(desk);
  const standing = await standingOf(desk);
  const landed = await commitDisk(desk, standing, message);
  const head = landed?.commit ?? standing.repository.head;
  const withdrawn = [...standing.committed.keys()].filter(
    (path) => !standing.disk.ids.has(path) && existsSync(join(desk.place.directory, path)),
  );
  const warnings = [
    ...(landed?.warnings ?? []),
    ...withdrawn.map(
      (path) =>
        `${projectPath(path)} is private now and left the branch; the history still holds its earlier text`,
    ),
  ];
  return { repository: { ...standing.repository, head }, isNew: landed !== undefined, warnings };
}

const short = (commit: string) => commit.slice(0, 12);
