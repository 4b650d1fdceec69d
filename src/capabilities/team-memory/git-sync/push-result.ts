import type { Renumbered } from "../merge/renumber.ts";

export type PushResult =
  | { status: "nothing_to_push"; renumbered?: Renumbered[] }
  | {
      status: "pushed" | "committed";
      commit: string;
      push_error?: string;
      ahead?: number;
      behind?: number;
      /** Entries of the remote's that were merged in before it took ours. */
      auto_resolved?: string[];
      renumbered?: Renumbered[];
      warnings: string[];
    };
/** What every answer about a commit says. */
export type State = Pick<
  Extract<PushResult, { commit: string }>,
  "commit" | "auto_resolved" | "renumbered" | "warnings"
>;

/** What a push did on the way. */
interface Done {
  readonly warnings: readonly string[];
  readonly renumbered: readonly Renumbered[];
  readonly auto_resolved?: readonly string[];
}

export const stateOf = (head: string, { warnings, renumbered, auto_resolved = [] }: Done): State => ({
  commit: head.slice(0, 12),
  ...(auto_resolved.length > 0 && { auto_resolved: [...auto_resolved] }),
  ...(renumbered.length > 0 && { renumbered: [...renumbered] }),
  // Our commit and a merge may warn of the same.
  warnings: [...new Set(warnings)],
});

export const nothingToPush = ({ renumbered }: Pick<Done, "renumbered">): PushResult => ({
  status: "nothing_to_push",
  ...(renumbered.length > 0 && { renumbered: [...renumbered] }),
});
