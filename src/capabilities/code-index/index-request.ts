import type { Logger } from "../../core/logger.ts";
import type { Progress } from "../../core/progress.ts";
import type { Embeddings } from "../../core/search/index.ts";
import type { ModelChoice } from "./prepare/vector-model.ts";
import type { Discovery, Flags } from "./scan/discover.ts";
import type { Project } from "./store/project.ts";

export interface IndexRequest extends Flags {
  readonly project: Project;
  readonly force: boolean;
}
export interface IndexSurroundings {
  readonly embeddings: Embeddings;
  readonly model: ModelChoice;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
export interface IndexReport {
  readonly filesIndexed: number;
  readonly filesSkipped: number;
  readonly filesFailed: number;
  readonly textFilesIndexed: number;
  readonly filesRemoved: number;
  readonly symbols: number;
  readonly chunks: number;
  readonly embeddings: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly errors: readonly { readonly file: string; readonly error: string }[];
}

/** What a run finds when it begins. */
export interface Look {
  readonly found: Discovery;
  /** See `treeState`; `undefined` where there is none. */
  readonly treeState: string | undefined;
}

export const secondsSince = (started: number): number => Math.round(performance.now() - started) / 1000;
