import { redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import { aboutEntry, type Project } from "../entries/project.ts";
import { everyEntry } from "../entries/text-entries.ts";
import type { Entry } from "../store/entry-files.ts";
import type { Kind, Scope } from "../store/layout.ts";
import type { View } from "../store/store.ts";
import { LineIndex } from "./line-index.ts";
import { parseQuery } from "./query.ts";
import { rankLines, type Scored } from "./rank-lines.ts";

export interface Found {
  readonly key: string;
  /** Relative to the store. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** In (0, 1]: 1 for the whole query in a heading. */
  readonly score: number;
  readonly type: Kind;
  readonly scope: Scope;
  readonly suspect?: true;
}

const MAX_TEXT = 500;

/** Searches all entries, line by line; private and ephemeral ones too, for they are this user's own. */
export function openSearch() {
  let index = new LineIndex();
  let indexed: { project: Project; revision: number } | undefined;
  return {
    lines(project: Project, view: View, { query, limit }: { query: string; limit: number }): Scored[] {
      const asked = parseQuery(query);
      if (asked.terms.length === 0) return [];
      if (indexed?.project !== project || index.isWorn()) index = new LineIndex();
      if (indexed?.project !== project || indexed.revision !== view.revision || index.isEmpty) {
        index.update(everyEntry(view));
        indexed = { project, revision: view.revision };
      }
      return rankLines(index, asked, limit);
    },
    present,
  };
}
export type Search = ReturnType<typeof openSearch>;

/** What a caller sees: no secret, no invisible character, no endless line; flagged where the code has moved on. */
async function present(project: Project, view: View, lines: readonly Scored[]): Promise<Found[]> {
  const suspects = new Map<Entry, boolean>();
  const found: Found[] = [];
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
    });
  }
  return found;
}

const textOf = ({ entry, number }: Scored): string =>
  entry.text.split("\n", number)[number - 1]?.trim() ?? "";

const cut = (text: string) =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/\p{Surrogate}$/u, "")}…`;
