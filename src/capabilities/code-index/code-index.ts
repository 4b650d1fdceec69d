import type { Machine } from "../../core/machine.ts";
import { openEmbeddings } from "../../core/search/index.ts";
import type { Call } from "../../core/tool.ts";
import { openAnswers } from "./answers.ts";
import type { CodeStore } from "./code-store.ts";
import { commandsHere, type IndexFlags } from "./commands-here.ts";
import { embedInBackground } from "./embed-in-background.ts";
import { embedServed } from "./embed-served.ts";
import { openFreshness } from "./freshness.ts";
import type { CodeQuestion, IndexedFile } from "./index.ts";
import { indexOutput } from "./index-output.ts";
import { indexProject } from "./index-project.ts";
import { neighboursOf } from "./neighbours.ts";
import { OpenIndexes, required } from "./open-indexes.ts";
import { openProject, type Project, projectAt } from "./project.ts";
import { runningIndex } from "./running.ts";
import type { IndexOutput, SearchOutput, StatusOutput } from "./schemas.ts";
import { type CodeQuery, checkQuery } from "./search-project.ts";
import { statusOf } from "./status.ts";
import { fileAt } from "./stored-chunks.ts";
import { symbolsOfFile } from "./symbols-of-project.ts";

/** The behaviour behind the room's tools; loaded when the first of them is called. */
export async function openBehaviour(machine: Machine) {
  const config = await machine.config();
  const embeddings = openEmbeddings(config, machine);
  const indexes = new OpenIndexes(embeddings);
  const answer = openAnswers(indexes);
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
    return indexOutput(project, report);
  }

  async function search(path: string, asked: CodeQuery, call: Call): Promise<SearchOutput> {
    const started = performance.now();
    checkQuery(asked.query);
    const project = await useProject(path);
    const { found, results, changed, isRemembered } = await answer(project, asked, call.signal);
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
        cache_hit: isRemembered,
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
      const { results, state } = await answer(project, { mode: "hybrid", filters: {}, ...question }, signal);
      return { hits: results, state };
    },
    status,
    here: commandsHere({
      machine,
      index,
      withIndex,
      embed: async (path, { signal, progress }) => {
        await embedInBackground(await useProject(path), embeddings, { signal, progress });
      },
    }),
    symbolsOfFiles: (path: string, files: readonly string[]) =>
      withIndex(path, (code, { root }) => {
        const isFresh = openFreshness(root);
        return files.map((file): IndexedFile => {
          const row = fileAt(code, file);
          return { symbols: symbolsOfFile(code, file), fresh: row !== undefined && isFresh(row) };
        });
      }),
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
