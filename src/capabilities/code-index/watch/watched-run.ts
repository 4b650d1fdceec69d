import type { IndexOutput } from "../schemas.ts";

export const hasChanges = (run: IndexOutput): boolean => changesOf(run).length > 0;

/** One line: what a run changed, or that it found nothing to change. */
export function showRun(run: IndexOutput): string {
  const changes = changesOf(run);
  return changes.length === 0 ? run.message : changes.join(", ");
}

function changesOf({ statistics, message }: IndexOutput): string[] {
  const { files_indexed, files_failed, files_removed, text_files_indexed } = statistics;
  return [
    ...(files_indexed > 0 ? [message] : []),
    ...(text_files_indexed > 0 ? [`${text_files_indexed} other text files indexed`] : []),
    ...(files_failed > 0 ? [`${files_failed} files with problems`] : []),
    ...(files_removed > 0 ? [`${files_removed} files removed`] : []),
  ];
}
