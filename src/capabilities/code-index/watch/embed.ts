import { type Progress, silentProgress } from "../../../core/progress.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { openCodeStore } from "../store/code-store.ts";
import { currentFile } from "../store/generations.ts";
import type { Project } from "../store/project.ts";
import { lockProject } from "../store/run-lock.ts";

/** How long a round of vectors waits for a run that is indexing. */
const PATIENCE_MS = 60_000;

/**
 * Embeds with the better model what is in a project's index, round by round. Each round is written under the index's
 * lock and only into the generation that is published; a newer one is left to the next call. Gives how many it did.
 */
export async function embedInBackground(
  project: Project,
  embeddings: Embeddings,
  { signal, progress = silentProgress }: { readonly signal: AbortSignal; readonly progress?: Progress },
): Promise<number> {
  const file = currentFile(project);
  if (file === undefined || embeddings.betterId === undefined) return 0;
  using code = await openCodeStore(file, embeddings);
  const replaced = new AbortController();
  const write = async (run: () => void) => {
    using _lock = await lockProject(project, PATIENCE_MS);
    if (currentFile(project) === file) run();
    else replaced.abort();
  };
  const either = AbortSignal.any([signal, replaced.signal]);
  try {
    return await code.index.upgrade({ signal: either, progress, write });
  } catch (thrown) {
    if (replaced.signal.aborted && !signal.aborted) return 0;
    throw thrown;
  }
}
