import type { Call } from "../../../core/tool.ts";
import type { PathKindOf } from "../scan/path-kind.ts";
import { notInProject, type PlaceInProject, placeOf } from "../scan/place.ts";
import type { CodeStore } from "../store/code-store.ts";
import { type CallsQuestion, callGraph } from "./call-graph.ts";
import { findReferences, type ReferencesQuestion } from "./find-references.ts";
import { findSymbol, type SymbolQuestion } from "./find-symbol.ts";
import { changedLines, impactOf } from "./impact.ts";
import { outlineOf } from "./outline.ts";
import type {
  CallsOutput,
  ImpactOutput,
  OutlineOutput,
  ReferencesOutput,
  SymbolOutput,
  UnusedOutput,
} from "./schemas.ts";
import { findUnused } from "./unused.ts";

type NavigationCall = Pick<Call, "signal" | "progress">;
interface NavigationContext {
  readonly root: string;
  readonly kindOf: PathKindOf;
  /** Runs on an index that is up to date, or says how many files it is behind on. */
  withFreshIndex<T>(
    path: string,
    call: NavigationCall,
    use: (code: CodeStore) => T,
  ): Promise<T & { files_changed: number }>;
}
/** A question with the directory or file that it is about. */
type At<Question> = Omit<Question, "part"> & { readonly path: string };

/** An answer is for a model: it has no use for more, and each line of it is read from the index. */
const MAX_TOKENS = 50_000;
const MAX_REFERENCES = 5_000;

/** Definitions, references and calls, each from one generation of the index. */
export function openNavigation({ root, kindOf, withFreshIndex }: NavigationContext) {
  const ask = <T>(path: string, call: NavigationCall, use: (code: CodeStore, part: string) => T) => {
    const { project, part } = existing(root, path, kindOf);
    return withFreshIndex(project, call, (code) => code.store.snapshot(() => use(code, part)));
  };
  return {
    symbol: (question: At<SymbolQuestion>, call: NavigationCall): Promise<SymbolOutput> =>
      ask(question.path, call, (code, part) => findSymbol(code, { ...question, part })),
    references: (question: At<ReferencesQuestion>, call: NavigationCall): Promise<ReferencesOutput> =>
      ask(question.path, call, (code, part) => {
        const limit = Math.min(question.limit, MAX_REFERENCES);
        return findReferences(code, { ...question, limit, part });
      }),
    calls: (question: At<CallsQuestion>, call: NavigationCall): Promise<CallsOutput> =>
      ask(question.path, call, (code, part) => {
        const budget = Math.min(question.budget, MAX_TOKENS);
        return callGraph(code, { ...question, budget, part });
      }),
    outline: (path: string, budget: number, call: NavigationCall): Promise<OutlineOutput> =>
      ask(path, call, (code, part) => outlineOf(code, part, Math.min(budget, MAX_TOKENS))),
    unused: (path: string, limit: number, call: NavigationCall): Promise<UnusedOutput> =>
      ask(path, call, (code, part) => findUnused(code, part, limit)),
    async impact(path: string, range: string, call: NavigationCall): Promise<ImpactOutput> {
      const { project } = existing(root, path, kindOf);
      const changed = await changedLines(project, range, call.signal);
      return ask(path, call, (code) => ({ range, ...impactOf(code, changed) }));
    },
  };
}

export type Navigation = ReturnType<typeof openNavigation>;

function existing(root: string, path: string, kindOf: PathKindOf): PlaceInProject {
  const place = placeOf(root, path, kindOf);
  if (place.kind === undefined) throw notInProject(path);
  return place;
}
