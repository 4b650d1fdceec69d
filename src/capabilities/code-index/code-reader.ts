import type { Call, Tool } from "../../core/tool.ts";
import { symbolsTool } from "./commands.ts";
import { type FileList, fileListTool } from "./file-list.ts";
import type { Navigation } from "./navigation/navigation.ts";
import { navigationTools } from "./navigation/tools.ts";
import type { PathKindOf } from "./scan/path-kind.ts";
import type {
  CodeQuery,
  ExplainedSearchOutput,
  IndexedSymbol,
  OnMissing,
  SearchOutput,
  StatusOutput,
} from "./schemas.ts";
import type { TextQuery } from "./search/find-text.ts";
import { searchTools } from "./tools.ts";

interface SearchOptions {
  readonly onMissing?: OnMissing;
}

/** Answers questions about the indexes of directories, or about one published index. */
export interface CodeReader {
  /** The served project. */
  readonly root: string;
  readonly navigation: () => Promise<Omit<Navigation, "impact">>;
  search(path: string, query: CodeQuery, call: Call, options?: SearchOptions): Promise<ExplainedSearchOutput>;
  matchLines(
    path: string,
    query: TextQuery,
    call: Call,
    options: Required<SearchOptions>,
  ): Promise<SearchOutput>;
  status(path: string): Promise<StatusOutput>;
  files(path: string, call: Call): Promise<FileList>;
  symbols(path: string, name: string | undefined, limit: number): Promise<IndexedSymbol[]>;
}

/** The tools that need an index and nothing else. */
export const readingTools = (reader: () => Promise<CodeReader>, kindOf: PathKindOf): readonly Tool[] => [
  ...searchTools(reader, kindOf),
  ...navigationTools(reader),
  symbolsTool(reader),
  fileListTool(reader),
];
