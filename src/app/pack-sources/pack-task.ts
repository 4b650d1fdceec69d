import type { CodeIndex } from "../../capabilities/code-index/index.ts";
import type { Gathered, PackRequest } from "../../capabilities/packs/index.ts";
import { parseQuery } from "../../core/search/text/query.ts";
import type { LoadRanker } from "./ranker.ts";

/** What packs need of the code index, or of a published one. */
export type PackedCode = Pick<CodeIndex, "waitForIndex" | "searchCode" | "symbolsOfFiles" | "neighbours">;

/** What a room needs to find items for one pack. */
export interface PackTask {
  readonly request: PackRequest;
  /** The code found for the same request. It is searched once, at the first call. */
  findCode(): Promise<Gathered>;
  readonly ranker: LoadRanker;
  readonly signal: AbortSignal;
}

/** The project has code, but none for this task: it is probably about something else. */
export const NO_RELEVANT_CODE = { reason: "nothing in the code has enough of this task" };

const TOP_CODE_ITEMS = 8;
/** Weight of a match with the code that was found, compared with a match with the task itself. */
export const CODE_MATCH_WEIGHT = 0.6;

/** The best code as a search query: its names, paths and first lines. */
export async function queryFromCode({ findCode }: PackTask): Promise<string> {
  const { items } = await findCode();
  return items
    .slice(0, TOP_CODE_ITEMS)
    .map(
      ({ title, sizes: [whole, brief = whole] }) =>
        `${title} ${brief?.citation.path ?? ""} ${brief?.text ?? ""}`,
    )
    .join("\n");
}

/** The words of a task as they are found in code: lower case, by their stem. */
export const wordsOfTask = (task: string): string[] =>
  parseQuery(task)
    .groups.flatMap(({ variants }) => variants.at(-1)?.term ?? [])
    .filter((word) => word.length > 2);
