import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readSource } from "../prepare/read-source.ts";
import type { FileToPrepare } from "./plan.ts";

interface ComparedFiles {
  /** They have the content that is indexed; only their time is another. */
  readonly unchanged: readonly FileToPrepare[];
  readonly changed: readonly FileToPrepare[];
}
const FILES_PER_TURN = 50;

/**
 * Compares files with the index by content. After a checkout, and in a copy of an index for another work tree, nearly all
 * times are new and nearly all content is old: reading it takes a fraction of the start of threads that parse.
 */
export async function compareContents(
  root: string,
  files: readonly FileToPrepare[],
  signal: AbortSignal,
): Promise<ComparedFiles> {
  const unchanged: FileToPrepare[] = [];
  const changed: FileToPrepare[] = [];
  for (const [number, file] of files.entries()) {
    if (number % FILES_PER_TURN === FILES_PER_TURN - 1) {
      await nextTurn();
      signal.throwIfAborted();
    }
    (hasIndexedContent(root, file) ? unchanged : changed).push(file);
  }
  return { unchanged, changed };
}

function hasIndexedContent(
  root: string,
  { path, size, importPath, language, known }: FileToPrepare,
): boolean {
  if (known === undefined || known.size !== size || known.importPath !== importPath) return false;
  const source = readSource(join(root, path), language);
  return "hash" in source && source.hash === known.hash;
}
