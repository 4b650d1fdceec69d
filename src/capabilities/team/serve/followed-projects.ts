import type { Generation, Replica } from "../../../core/replica/replica.ts";
import type { Tool } from "../../../core/tool.ts";
import type { PublishCode } from "../jobs/index-job.ts";

/** What the room needs of the code index. `app.ts` provides it; rooms do not import each other. */
export interface TeamCode {
  /** The reading tools, for their names and schemas. Those of a `TeamIndex` answer. */
  readonly tools: readonly Tool[];
  /** Publishes to the database at `url`. */
  publisher(url: string): AsyncDisposable & { readonly publish: PublishCode };
  open(options: TeamIndexesOptions): TeamIndexes;
}
export interface TeamIndexesOptions {
  readonly replica: Replica;
  readonly directory: string;
  readonly maxBytes: number;
  readonly maxOpen: number;
}
/** Published indexes that this process follows. */
export interface TeamIndexes extends AsyncDisposable {
  use<T>(repository: string, run: (index: TeamIndex) => T | Promise<T>, signal?: AbortSignal): Promise<T>;
  follow(generation: Generation, signal?: AbortSignal): Promise<unknown>;
  held(): Promise<readonly { readonly generation: Generation; readonly bytes: number }[]>;
}
export interface TeamIndex {
  readonly generation: Generation;
  /** Stands for the project's directory. */
  readonly root: string;
  readonly tools: readonly Tool[];
}
