import { isAbsolute, relative, resolve, sep } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { once } from "../../../core/lazy.ts";
import type { Generation } from "../../../core/replica/replica.ts";
import type { Tool } from "../../../core/tool.ts";
import { type CodeReader, readingTools } from "../code-reader.ts";
import { listFiles } from "../file-list.ts";
import { type NeighboursQuestion, neighboursOf } from "../navigation/neighbours.ts";
import type { PathKindOf } from "../scan/path-kind.ts";
import type { CodeHits, CodeQuestion, IndexedFile, Neighbours } from "../schemas.ts";
import type { CachedSearch } from "../search/cached-search.ts";
import { matchLines } from "../search/find-text.ts";
import { requireQuery, upperBoundOfCode } from "../search/search-code.ts";
import { symbolsNamed, symbolsOfFile } from "../search/symbols.ts";
import type { CodeStore } from "../store/code-store.ts";
import { readStatus } from "../store/index-status.ts";
import type { CodeProject } from "../store/project.ts";
import { upperBoundTool } from "../tools.ts";

/** A published index: everything is answered from its file, without the project's directory. */
export interface FollowedCode {
  readonly generation: Generation;
  /** Stands for the project's directory. Nothing is on disk there. */
  readonly root: string;
  /** The room's tools that read, with the bytes of an index on disk. Each call gets a notice of the commit and the time. */
  readonly tools: readonly Tool[];
  /** Takes what `search_code` takes and tells what it could find at most: see `ScoreBound`. */
  readonly upperBound: Tool;
  search(question: CodeQuestion, signal: AbortSignal): Promise<CodeHits>;
  symbolsOfFiles(files: readonly string[]): readonly IndexedFile[];
  neighbours(question: NeighboursQuestion): readonly Neighbours[];
}
interface FollowedIndex {
  readonly project: CodeProject;
  readonly generation: Generation;
  readonly code: CodeStore;
  readonly search: CachedSearch;
}

export function followedCode(followed: FollowedIndex): FollowedCode {
  const { project, generation, code, search } = followed;
  const { commit, published_at } = generation;
  const age = `Published at commit ${commit.slice(0, 12)}, ${published_at}.`;
  const reader = followedReader(followed);
  const tools = readingTools(async () => reader, kindInIndex(followed)).map(
    (tool): Tool => ({
      ...tool,
      run(input, call) {
        call.notice?.(age);
        return tool.run(input, call);
      },
    }),
  );
  return {
    generation,
    root: project.root,
    tools,
    upperBound: upperBoundTool(kindInIndex(followed), async (path, query, signal) => {
      requireQuery(query.query);
      return atRoot(project, path, () => upperBoundOfCode(code, query, signal));
    }),
    async search(question, signal) {
      const query = { mode: "hybrid", filters: {}, ...question } as const;
      const { found, hits, state } = await search.search(project, query, signal);
      return { hits, state, behind: [], model: found.model };
    },
    symbolsOfFiles: (files) => files.map((file) => ({ symbols: symbolsOfFile(code, file), fresh: true })),
    neighbours: (question) => code.store.snapshot(() => neighboursOf(code, question)),
  };
}

function followedReader({ project, code, search }: FollowedIndex): CodeReader {
  const at = <T>(path: string, answer: () => T): T => atRoot(project, path, answer);
  return {
    root: project.root,
    search: async (path, query, { signal }) => {
      requireQuery(query.query);
      const started = performance.now();
      return at(path, () => search.answer(project, query, { behind: [], started, signal }));
    },
    matchLines: async (path, query, { signal }) => {
      requireQuery(query.pattern);
      return at(path, () => matchLines(code, query, signal));
    },
    status: async (path) => at(path, () => readStatus(project, code)),
    files: async (path) => at(path, () => ({ files: listFiles(code), files_changed: 0 })),
    symbols: async (path, name, limit) => at(path, () => symbolsNamed(code, name, limit)),
    navigation: once(async () =>
      (await import("../navigation/navigation.ts")).openNavigation({
        root: project.root,
        kindOf: kindInIndex({ project, code }),
        withFreshIndex: async (path, _call, use) => at(path, () => ({ ...use(code), files_changed: 0 })),
      }),
    ),
  };
}

function atRoot<T>({ root }: CodeProject, path: string, answer: () => T): T {
  if (resolve(root, path) !== root) throw elsewhere();
  return answer();
}

function kindInIndex({ project, code }: Pick<FollowedIndex, "project" | "code">): PathKindOf {
  return (path) => {
    const part = relative(project.root, path).split(sep).join("/");
    if (part === "") return "directory";
    if (part.startsWith("..") || isAbsolute(part)) return undefined;
    const find = code.store.prepare(
      "SELECT path FROM files WHERE path = ? OR (path >= ? AND path < ?) LIMIT 1",
    );
    // 0 is the character after the slash.
    const found = find.get(part, `${part}/`, `${part}0`);
    if (found === undefined || found === null) return undefined;
    return Object(found).path === part ? "file" : "directory";
  };
}

const elsewhere = () =>
  new DomainError("invalid_input", "A published index answers only for its own project.", {
    reason: "wrong_path",
    details: { param: "path" },
  });
