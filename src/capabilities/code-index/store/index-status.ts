import type { StatusOutput } from "../schemas.ts";
import { type CodeStore, countFiles } from "./code-store.ts";
import { readFacts } from "./facts.ts";
import { sizeOf } from "./generations.ts";
import type { Project } from "./project.ts";
import { runningIndex } from "./run-lock.ts";
import { INDEX_VERSION } from "./tables.ts";

const MEGABYTE = 1_048_576;
const NOT_INDEXED: StatusOutput = {
  success: true,
  indexed: false,
  project: null,
  statistics: null,
  health: null,
  message: "Project not indexed. Run index_codebase to create index.",
};

/** What is in a project's index, and how far a run is that is under way. */
export async function statusOf(project: Project, code: CodeStore | undefined): Promise<StatusOutput> {
  const running = await runningIndex(project);
  const indexing = running && { indexing: running };
  if (code === undefined) return { ...NOT_INDEXED, ...indexing };
  const facts = readFacts(code);
  const counts = countFiles(code);
  const { counts: searchable, active, problems } = await code.index.status();
  const embedded = Math.max(0, ...searchable.models.map(({ vectors }) => vectors));
  return {
    success: true,
    indexed: true,
    project: {
      id: project.id,
      root_path: project.root,
      module_name: facts["module_name"] ?? "",
      go_version: facts["go_version"] ?? "",
      index_version: INDEX_VERSION,
    },
    statistics: {
      total_files: counts.files,
      total_symbols: counts.symbols,
      total_chunks: searchable.chunks,
      total_embeddings: embedded,
      index_size_mb: megabytes(sizeOf(code.store.file)),
      last_indexed_at: facts["last_indexed_at"] ?? "",
      indexing_duration_seconds: Number(facts["duration_seconds"] ?? 0),
      total_text_files: counts.texts,
    },
    health: {
      database_accessible: true,
      embeddings_available: active !== undefined,
      fts_indexes_built: true,
      ...(active !== undefined && { embedding_model: active }),
      embedding_coverage: searchable.models.map(({ id, vectors }) => ({ model: id, embedded: vectors })),
      ...(problems.length > 0 && { problems: [...problems] }),
    },
    ...indexing,
    message: `Project indexed successfully with ${counts.files} files`,
  };
}

export const megabytes = (bytes: number): number => Math.round((bytes / MEGABYTE) * 100) / 100;
