import type { LanguageId } from "../../../core/parse/parse.ts";
import type { SkippedFile, StoredFileState } from "../store/stored-files.ts";
import type { DiscoveredFile } from "./discover.ts";
import { directoryOf } from "./import-paths.ts";

export interface FileToPrepare {
  readonly id: number;
  readonly path: string;
  /** `undefined` for plain text. */
  readonly language: LanguageId | undefined;
  readonly size: number;
  readonly ctimeMs: number;
  readonly importPath: string;
  /** The state in the index, if the file is indexed. */
  readonly known?: { readonly hash: string; readonly importPath: string; readonly size: number };
}
export interface IndexPlan {
  readonly toPrepare: readonly FileToPrepare[];
  /** Ids of files that left the project. */
  readonly removed: readonly number[];
  /** How many source files are unchanged. */
  readonly unchanged: number;
}

/** What the index has of files, by their paths. */
export interface IndexedState {
  readonly known: ReadonlyMap<string, StoredFileState>;
  readonly skipped: ReadonlyMap<string, SkippedFile>;
}

/** Compares files with the index by package, size and time. Preparing them compares the content. */
export function planRun(
  files: readonly DiscoveredFile[],
  { known, skipped, firstId }: IndexedState & { readonly firstId: number },
  importPathOf: (directory: string) => string,
): IndexPlan {
  const toPrepare: FileToPrepare[] = [];
  const present = new Set<string>();
  let unchanged = 0;
  let nextId = firstId;
  for (const { path, language, size, ctimeMs } of files) {
    const before = known.get(path);
    if (before) present.add(path);
    const importPath = importPathOf(directoryOf(path));
    const isMoved = before !== undefined && before.import_path !== importPath;
    const seen = before ?? skipped.get(path);
    if (!isMoved && seen?.size === size && seen.ctime_ms === ctimeMs) {
      if (language !== undefined) unchanged++;
      continue;
    }
    const id = before?.id ?? nextId++;
    const indexed = before && { hash: before.hash, importPath: before.import_path, size: before.size };
    toPrepare.push({ id, path, language, size, ctimeMs, importPath, ...(indexed && { known: indexed }) });
  }
  const removed = [...known.values()].filter((file) => !present.has(file.path)).map((file) => file.id);
  return { toPrepare, removed, unchanged };
}
