import { redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import type { Machine } from "../../../core/machine.ts";
import { pastDecisions } from "../entries/contradictions.ts";
import { aboutEntry, type MemoryProject } from "../entries/project.ts";
import { everyEntry } from "../entries/text-entries.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import type { EntryKind, EntryScope } from "../store/layout.ts";
import { openEntryRanking, type SearchedStore } from "./rank-entries.ts";
import { rankLines, type ScoredLine } from "./rank-lines.ts";

export interface MemorySearchOptions {
  readonly query: string;
  readonly limit: number;
  readonly mode: "keyword" | "hybrid";
}
interface FoundLine {
  readonly key: string;
  /** Relative to the store. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** In (0, 1]. 1: the whole query in a heading. */
  readonly score: number;
  readonly type: EntryKind;
  readonly scope: EntryScope;
  readonly suspect?: true;
  /** A decision that no longer holds. */
  readonly past?: true;
}

const MAX_TEXT = 500;

/** Searches all entries, including private and ephemeral ones: they belong to this user. */
export function openSearch(machine: Machine) {
  const rankEntries = openEntryRanking(machine);
  return async (
    project: MemoryProject,
    { query, limit, mode }: MemorySearchOptions,
  ): Promise<FoundLine[]> => {
    const view = await project.store.view();
    const past = pastDecisions(view);
    const found =
      mode === "hybrid"
        ? await rankEntries(query, limit, { project, view, past })
        : rankLines(everyEntry(view), query, limit);
    return present(found, { project, view, past });
  };
}

/** The answer holds no secrets, no invisible characters and no endless lines. */
async function present(
  lines: readonly ScoredLine[],
  { project, view, past }: SearchedStore,
): Promise<FoundLine[]> {
  const suspects = new Map<MemoryEntry, boolean>();
  const found: FoundLine[] = [];
  for (const line of lines) {
    const { entry, number, score } = line;
    if (!suspects.has(entry)) suspects.set(entry, (await aboutEntry(project, view, entry)).suspect === true);
    found.push({
      key: entry.key,
      file: entry.path,
      line: number,
      text: cut(redactSecrets(stripInvisible(textOf(line)).text).text),
      score,
      type: entry.kind,
      scope: view.scopes.of(entry.path),
      ...(suspects.get(entry) && { suspect: true as const }),
      ...(past.has(entry) && { past: true as const }),
    });
  }
  return found;
}

const textOf = ({ entry, number }: ScoredLine): string =>
  entry.text.split("\n", number)[number - 1]?.trim() ?? "";

const cut = (text: string) =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/\p{Surrogate}$/u, "")}…`;
