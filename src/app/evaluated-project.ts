import type { CodeIndex } from "../capabilities/code-index/index.ts";
import type { AnswerPiece, EvaluatedProject } from "../capabilities/evaluation/index.ts";
import { type Packs, quotedRanges } from "../capabilities/packs/index.ts";

const MOST_HITS = 50;

interface CopiedProject {
  /** Its absolute directory. */
  readonly path: string;
  readonly code: CodeIndex;
  readonly packs: Packs;
  /** Says that its files have changed. */
  wasWritten(): void;
  close(): Promise<void>;
}

/** Gives the evaluation what agents get: search results as JSON, and the blocks of a pack with the documents of the project. */
export const evaluatedProject = ({
  path,
  code,
  packs,
  wasWritten,
  close,
}: CopiedProject): EvaluatedProject => ({
  index: async (call) => {
    wasWritten();
    await code.indexCode(path, call);
  },
  symbols: async (files) =>
    (await code.symbolsOfFiles(path, files)).map(({ symbols }) =>
      symbols.map((symbol) => ({
        path: symbol.path,
        name: symbol.name,
        start: symbol.line,
        end: symbol.end_line,
        isTest: symbol.is_test ?? false,
      })),
    ),
  search: async (task, signal) => {
    const { hits } = await code.searchCode(path, { query: task, limit: MOST_HITS }, signal);
    return hits.map(
      (hit): AnswerPiece => ({
        text: JSON.stringify(hit),
        quotes: [{ path: hit.file.path, start: hit.file.start_line, end: hit.file.end_line }],
      }),
    );
  },
  pack: async ({ task, budget }, call) => {
    const { items, tokens } = await packs.pack({ task, budget, path }, call);
    return { tokens, pieces: items.map((item) => ({ text: item.text, quotes: quotedRanges(item) })) };
  },
  close,
});
