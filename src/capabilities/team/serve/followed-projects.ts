import type { Generation, Replica } from "../../../core/replica/replica.ts";
import type { Prompt, ResourceSource } from "../../../core/room-offer.ts";
import type { Tool } from "../../../core/tool.ts";
import type { PublishProject } from "../jobs/index-job.ts";

/** What the room needs of the rooms of a project. `app.ts` provides it; rooms do not import each other. */
export interface ProjectRooms {
  /** The tools, for their names and schemas. Those of a `FollowedProject` answer. */
  readonly tools: readonly Tool[];
  /** The same. */
  readonly resources: ResourceSource;
  readonly prompts: readonly Prompt[];
  /** The kind of index that servers read. */
  readonly kind: string;
  /** Publishes to the database at `url`. */
  publisher(url: string): AsyncDisposable & { readonly publish: PublishProject };
  open(options: FollowedProjectsOptions): FollowedProjects;
}
interface FollowedProjectsOptions {
  readonly replica: Replica;
  readonly directory: string;
  readonly maxBytes: number;
  readonly maxOpen: number;
}
/** Published projects that this process follows. A generation is that of the code; the others of its commit come with it. */
export interface FollowedProjects extends AsyncDisposable {
  use<T>(key: string, run: (project: FollowedProject) => T | Promise<T>, signal?: AbortSignal): Promise<T>;
  follow(generation: Generation, signal?: AbortSignal): Promise<unknown>;
  held(): Promise<readonly { readonly generation: Generation; readonly bytes: number }[]>;
}
export interface FollowedProject {
  readonly generation: Generation;
  /** Stands for the project's directory. */
  readonly root: string;
  /** Takes what `search_code` takes and tells what it could find at most. */
  readonly upperBound: Tool;
  readonly tools: readonly Tool[];
  readonly resources: ResourceSource;
  readonly prompts: readonly Prompt[];
}
