import type { IndexReport } from "./index-request.ts";
import type { IndexOutput } from "./schemas.ts";
import { megabytes } from "./store/index-status.ts";
import type { Project } from "./store/project.ts";

/** A run's report in the words of the contract. */
export const indexOutput = ({ id }: Project, report: IndexReport): IndexOutput => ({
  success: true,
  project_id: id,
  statistics: {
    files_indexed: report.filesIndexed,
    files_skipped: report.filesSkipped,
    files_failed: report.filesFailed,
    symbols_extracted: report.symbols,
    chunks_created: report.chunks,
    embeddings_generated: report.embeddings,
    duration_seconds: report.seconds,
    index_size_mb: megabytes(report.bytes),
    files_removed: report.filesRemoved,
    text_files_indexed: report.textFilesIndexed,
  },
  errors: [...report.errors],
  message: `Successfully indexed ${report.filesIndexed} files in ${report.seconds} seconds`,
});
