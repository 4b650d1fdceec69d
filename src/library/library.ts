import { openApp, openMachine } from "../app.ts";
import type { Logger } from "../core/logger.ts";
import { type ProgressStep, silentProgress } from "../core/progress.ts";
import { type Call, invoke, type Tool } from "../core/tool.ts";
import type { ToolMethods } from "./tool-methods.ts";

export interface ContextfulOptions {
  /** The project's directory. Default: the current one. */
  readonly root?: string;
  /** Where context caches are found by name. Default: `.context-caches` in the project. */
  readonly cacheRoot?: string;
  /** Directories the tools may be pointed at. Default: any the user can read. */
  readonly allowed?: readonly string[];
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: writes to stderr. */
  readonly logger?: Logger;
}

/** What every method takes beside its input. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  onProgress?(step: ProgressStep): void;
  /** Recorded on writes. Default: `library`. */
  readonly actor?: string;
}

/** An open project: one method per tool, with the types of its schemas. */
export interface Contextful extends ToolMethods<CallOptions> {
  /** Closes databases and ends background work. */
  close(): Promise<void>;
}

/** Opens a project. Nothing is read or started before the first call. */
export function openContextful({ root = process.cwd(), ...options }: ContextfulOptions = {}): Contextful {
  const app = openApp(openMachine({ root, ...options }));
  const methods = app.tools
    .filter(isLibraryTool)
    .map((tool) => [
      methodName(tool),
      (input: object = {}, call: CallOptions = {}) =>
        invoke(tool, withProject(tool, input, app.machine.root), callOf(call)),
    ]);
  // The methods' types are generated from the same schemas; a test compares the two.
  return { ...Object.fromEntries(methods), close: () => app.close() } as Contextful;
}

/** Every tool that answers once: a watch, which runs until it is stopped, has its own command. */
export const isLibraryTool = ({ events }: Tool): boolean => events === undefined;

/** `search_code` → `searchCode`. Names with dots have a safe name, because `context.search` and `context_search` differ. */
export const methodName = ({ name, safeName = name }: Tool): string =>
  safeName.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A tool that requires a path means the project. */
const withProject = (tool: Tool, input: object, root: string): object =>
  "path" in tool.input.shape && !("path" in input) && !tool.input.shape["path"]?.safeParse(undefined).success
    ? { ...input, path: root }
    : input;

const callOf = ({ signal, onProgress, actor }: CallOptions): Call => ({
  signal: signal ?? new AbortController().signal,
  progress: onProgress ? { ...silentProgress, report: onProgress } : silentProgress,
  actor: actor ?? "library",
  caller: "person",
});
