import type { StatusOutput } from "../schemas.ts";
import { type CodeStore, readMetadata } from "./code-store.ts";
import { megabytesOf } from "./generations.ts";
import type { CodeProject } from "./project.ts";
import { readRunningIndex } from "./run-lock.ts";
import { countFiles } from "./stored-files.ts";
import { INDEX_VERSION } from "./tables.ts";

const NOT_INDEXED: StatusOutput = {
  success: true,
  indexed: false,
  project: null,
  statistics: null,
  health: null,
  message: "Project not indexed. Run index_codebase to create index.",
};

/** Describes a project's index and the progress of a run in any process. */
export async function readStatus(project: CodeProject, code: CodeStore | undefined): Promise<StatusOutput> {
  const running = await readRunningIndex(project);
  const indexing = running && { indexing: running };
  if (code === undefined) return { ...NOT_INDEXED, ...indexing };
  const metadata = readMetadata(code);
  const counts = countFiles(code);
  const { counts: searchCounts, active, problems } = await code.index.status();
  const embedded = Math.max(0, ...searchCounts.models.map(({ vectors }) => vectors));
  return {
    success: true,
    indexed: true,
    project: {
      id: project.id,
      root_path: project.root,
      module_name: metadata["module_name"] ?? "",
      go_version: metadata["go_version"] ?? "",
      index_version: INDEX_VERSION,
    },
    statistics: {
      total_files: counts.files,
      total_symbols: counts.symbols,
      total_chunks: searchCounts.chunks,
      total_embeddings: embedded,
      index_size_mb: megabytesOf(code.store.file),
      last_indexed_at: metadata["last_indexed_at"] ?? "",
      indexing_duration_seconds: Number(metadata["duration_seconds"] ?? 0),
      total_text_files: counts.texts,
    },
    health: {
      database_accessible: true,
      embeddings_available: active !== undefined,
      fts_indexes_built: true,
      ...(active !== undefined && { embedding_model: active }),
      embedding_coverage: searchCounts.models.map(({ id, vectors }) => ({ model: id, embedded: vectors })),
      ...(problems.length > 0 && { problems: [...problems] }),
    },
    ...indexing,
    message: `Project indexed successfully with ${counts.files} files`,
  };
}
