import type { Machine } from "./machine.ts";
import type { Tool } from "./tool.ts";

/** A resource that MCP clients can read. */
interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
}
interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
}
export interface ResourceSource {
  readonly templates: readonly ResourceTemplate[];
  list(): Promise<readonly ResourceEntry[]>;
  /** `undefined` if there is no such resource. */
  read(uri: string): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
}
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  render(values: Readonly<Record<string, string>>): Promise<string>;
}

/** One line of `contextful doctor`. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "note" | "problem";
  readonly detail: string;
}

/** What a room offers. Opening a room does no work; each function loads what it needs on its first call. */
export interface RoomOffer {
  readonly tools: readonly Tool[];
  readonly resources?: ResourceSource;
  readonly prompts?: readonly Prompt[];
  /** What a model should know before its first call, in at most a few hundred words. */
  instructions?(): Promise<string | undefined>;
  doctor?(): Promise<readonly Finding[]>;
  /** Background work of a serving process. No call waits for it; it ends when `signal` aborts. */
  startBackground?(signal: AbortSignal): unknown;
  close?(): Promise<void>;
}

/** All rooms of one project, opened. Surfaces get this. */
export interface App {
  readonly machine: Machine;
  readonly tools: readonly Tool[];
  readonly resources: readonly ResourceSource[];
  readonly prompts: readonly Prompt[];
  instructions(): Promise<string | undefined>;
  doctor(): Promise<readonly Finding[]>;
  startBackground(signal: AbortSignal): void;
  close(): Promise<void>;
}
