import { basename } from "node:path";
import type { Machine } from "../../core/machine.ts";
import { Recent } from "../../core/recent.ts";
import { openEmbeddings } from "../../core/search/index.ts";
import type { Call } from "../../core/tool.ts";
import { embedInBackground } from "./background.ts";
import type { CodeStore } from "./code-store.ts";
import { commandsHere, type IndexFlags } from "./commands-here.ts";
import { embedServed } from "./embed-served.ts";
import { isFresh } from "./freshness.ts";
import type { CodeQuestion, IndexedFile } from "./index.ts";
import { indexProject } from "./index-project.ts";
import { neighboursOf } from "./neighbours.ts";
import { OpenIndexes, required } from "./open-indexes.ts";
import { openProject, type Project, projectAt } from "./project.ts";
import { runningIndex } from "./running.ts";
import type { IndexOutput, SearchOutput, StatusOutput } from "./schemas.ts";
import { type CodeQuery, checkQuery, type Found, searchProject } from "./search-project.ts";
import { megabytes, statusOf } from "./status.ts";
import { fileAt } from "./stored-chunks.ts";
import { symbolsOfFile } from "./symbols-of-project.ts";

/** The behaviour behind the room's tools; loaded when the first of them is called. */
export async function openBehaviour(machine: Machine) {
  const config = await machine.config();
  const embeddings = openEmbeddings(config, machine);
  const indexes = new OpenIndexes(embeddings);
  /** By everything that decides them: the index's generation is part of the key, so none outlives it. */
  const answers = new Recent<Found>(200);
  /** The served project and whatever else was asked about, by directory: what the background embeds. */
  const used = new Map<string, Project>();
  const useProject = async (path: string): Promise<Project> => {
    const project = await openProject(machine, path);
    used.set(project.directory, project);
    return project;
  };
  const model = { home: machine.home, isDisabled: config.embedding.provider === "disabled" };

  async function index(path: string, flags: IndexFlags, call: Call): Promise<IndexOutput> {
    const project = await useProject(path);
    const report = await indexProject(
      { project, ...flags },
      {
        embeddings,
        model,
        now: machine.now,
        logger: machine.logger,
        progress: call.progress,
        signal: call.signal,
      },
    );
    return {
      success: true,
      project_id: project.id,
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
    };
  }

  /** From memory where the same was asked of the same index; whether files have changed is looked at every time. */
  const find = (project: Project, asked: CodeQuery, signal: AbortSignal) =>
    indexes.use(project, async (found) => {
      const code = required(found);
      const state = `${basename(code.store.file)}@${code.index.generation()}`;
      const key = `${project.directory}\0${state}\0${JSON.stringify(asked)}`;
      const known = answers.get(key);
      const answer = known ?? (await searchProject(code, asked, signal));
      if (!known) answers.set(key, answer);
      const changed = new Set<string>();
      for (const { file } of answer.hits) if (!isFresh(project.root, file)) changed.add(file.path);
      const results = answer.hits.map(({ hit }) =>
        changed.has(hit.file.path) ? { ...hit, fresh: false } : hit,
      );
      return { found: answer, results, changed, state, isKnown: known !== undefined };
    });

  async function search(path: string, asked: CodeQuery, call: Call): Promise<SearchOutput> {
    const started = performance.now();
    checkQuery(asked.query);
    const project = await useProject(path);
    const { found, results, changed, isKnown } = await find(project, asked, call.signal);
    const running = await runningIndex(project);
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    return {
      success: true,
      query: asked.query,
      results,
      statistics: {
        total_results: found.total,
        returned_results: results.length,
        search_duration_ms: milliseconds,
        cache_hit: isKnown,
        files_changed: changed.size,
        ...(found.model !== undefined && { model: found.model }),
      },
      ...(running && { indexing: true }),
      ...(found.degraded !== undefined && { degraded: found.degraded }),
      message: `Found ${found.total} results in ${Math.round(milliseconds)}ms`,
    };
  }

  const status = async (path: string): Promise<StatusOutput> => {
    const project = await useProject(path);
    return indexes.use(project, (code) => statusOf(project, code));
  };

  /** For packs and other rooms, handed on by app.ts. */
  const withIndex = async <T>(
    path: string,
    use: (code: CodeStore, project: Project) => T | Promise<T>,
  ): Promise<T> => {
    const project = await useProject(path);
    return indexes.use(project, (code) => use(required(code), project));
  };

  return {
    index,
    search,
    hits: async (path: string, question: CodeQuestion, signal: AbortSignal) => {
      const project = await useProject(path);
      const { results, state } = await find(project, { mode: "hybrid", filters: {}, ...question }, signal);
      return { hits: results, state };
    },
    status,
    here: commandsHere({
      machine,
      index,
      search,
      status,
      withIndex,
      embed: async (path, { signal, progress }) => {
        await embedInBackground(await useProject(path), embeddings, { signal, progress });
      },
    }),
    symbolsOfFiles: (path: string, files: readonly string[]) =>
      withIndex(path, (code, { root }) =>
        files.map((file): IndexedFile => {
          const row = fileAt(code, file);
          return { symbols: symbolsOfFile(code, file), fresh: row !== undefined && isFresh(root, row) };
        }),
      ),
    neighbours: (
      path: string,
      place: { readonly path: string; readonly name: string },
      signal: AbortSignal,
    ) => withIndex(path, (code) => neighboursOf(code, place, signal)),
    embedServed: async (signal: AbortSignal) => {
      const root = await machine.roots.directory().catch(() => undefined);
      if (root !== undefined) {
        const own = projectAt(machine, root);
        used.set(own.directory, own);
      }
      await embedServed({ projects: used, embeddings, logger: machine.logger }, signal);
    },
    async close() {
      await indexes.close();
      await embeddings.close();
    },
  };
}
export type Behaviour = Awaited<ReturnType<typeof openBehaviour>>;
