import { directoryOf } from "../prepare/document.ts";
import type { FileToPrepare } from "../prepare/prepare-files.ts";
import type { KnownFile, LeftOut } from "../store/code-store.ts";
import type { Candidate } from "./discover.ts";

export interface Plan {
  readonly work: readonly FileToPrepare[];
  /** Ids of files that left the project. */
  readonly removed: readonly number[];
  /** Source files that are as they were. */
  readonly skipped: number;
}

interface Indexed {
  readonly known: ReadonlyMap<string, KnownFile>;
  readonly left: ReadonlyMap<string, LeftOut>;
  readonly firstId: number;
}

/** Which files differ from what is indexed, told by package, size and time; their content decides later. */
export function planWork(
  candidates: readonly Candidate[],
  { known, left, firstId }: Indexed,
  importPathOf: (directory: string) => string,
): Plan {
  const work: FileToPrepare[] = [];
  const present = new Set<string>();
  let skipped = 0;
  let nextId = firstId;
  for (const { path, language, size, ctimeMs } of candidates) {
    const before = known.get(path);
    if (before) present.add(path);
    const importPath = importPathOf(directoryOf(path));
    const isMoved = before !== undefined && before.import_path !== importPath;
    const seen = before ?? left.get(path);
    if (!isMoved && seen?.size === size && seen.ctime_ms === ctimeMs) {
      if (language !== undefined) skipped++;
      continue;
    }
    const id = before?.id ?? nextId++;
    const indexed = before && { hash: before.hash, importPath: before.import_path };
    work.push({ id, path, language, size, ctimeMs, importPath, ...(indexed && { known: indexed }) });
  }
  const removed = [...known.values()].filter((file) => !present.has(file.path)).map((file) => file.id);
  return { work, removed, skipped };
}
