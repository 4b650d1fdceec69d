import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDocuments } from "../../src/capabilities/documents/index.ts";
import { Config } from "../../src/core/config/config.ts";
import type { Machine } from "../../src/core/machine.ts";
import { invoke } from "../../src/core/tool.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";

export const GOLDEN = "tests/contracts/golden/documents";
/** When each document of the golden corpus was last changed. */
export const CORPUS = {
  "auth.md": "2026-03-01T00:00:00Z",
  "backups.md": "2026-03-02T00:00:00Z",
  "deploy.md": "2026-03-03T00:00:00Z",
  "notes.txt": "2026-03-04T00:00:00Z",
  "oncall.md": "2026-03-05T00:00:00Z",
} as const;

export interface Report {
  readonly source: string;
  readonly status: string;
  readonly found: number;
  readonly only_updated: boolean;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: number;
  readonly failed: number;
  readonly chunks: number;
  readonly reused: number;
  readonly complete: boolean;
  readonly checkpoint: string | null;
  readonly problems: readonly { readonly source_id: string | null; readonly reason: string }[];
}
export interface Result {
  readonly id: string;
  readonly score: number;
  readonly source: string;
  readonly source_id: string;
  readonly title: string | null;
  readonly snippet: string;
  readonly source_url: string | null;
  readonly updated_at: string;
}
export interface Whole extends Omit<Result, "score" | "snippet"> {
  readonly author: string | null;
  readonly created_at: string;
  readonly content_type: string;
  readonly body: string;
  readonly metadata: Record<string, unknown>;
  readonly chunks: readonly { readonly index: number; readonly text: string }[];
}

/** A project with documents of its own, in this process. The configuration may be changed between calls. */
export function documentsProject(initial: unknown = {}, overrides: Partial<Machine> = {}) {
  const directory = tempDir();
  const root = join(directory.path, "project");
  mkdirSync(root);
  let config = Config.parse(initial);
  const machine = testMachine(root, { now: () => new Date(), config: async () => config, ...overrides });
  const doors: ReturnType<typeof openDocuments>[] = [];
  const open = () => {
    const door = openDocuments(machine);
    doors.push(door);
    return door;
  };
  let door = open();
  // The calling test checks the result.
  const call = async (name: string, input: unknown = {}, given = testCall()): Promise<unknown> => {
    const tool = door.tools.find((known) => known.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return invoke(tool, input, given);
  };
  return {
    root,
    machine,
    directory: directory.path,
    get door() {
      return door;
    },
    call,
    configure: (next: unknown) => {
      config = Config.parse(next);
    },
    /** As another process would see it. */
    reopen: () => {
      door = open();
    },
    write(path: string, content: string | Uint8Array, time?: string) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      if (time) utimesSync(file, new Date(time), new Date(time));
    },
    remove: (path: string) => rmSync(join(root, path), { recursive: true }),
    async sync(input: unknown = {}): Promise<readonly Report[]> {
      const { sources } = (await call("documents_sync", input)) as { sources: Report[] };
      return sources;
    },
    async search(query: string, more: object = {}): Promise<readonly Result[]> {
      const { results } = (await call("context.search", { query, ...more })) as { results: Result[] };
      return results;
    },
    async found(query: string, more: object = {}): Promise<string[]> {
      return (await this.search(query, more)).map(({ source_id }) => source_id).sort();
    },
    get: async (id: string) => (await call("context.get", { id })) as Whole,
    async [Symbol.asyncDispose]() {
      await Promise.all(doors.map((each) => each.close?.()));
      directory[Symbol.dispose]();
    },
  };
}
export type DocumentsProject = ReturnType<typeof documentsProject>;

export const FILES = { connectors: { filesystem: { docs: { root: "docs" } } } };
export const WORDS_ONLY = { embedding: { provider: "disabled" }, ...FILES };

/** Why each item of a run was left out; "" is the source itself. */
export const reasons = (report: Pick<Report, "problems"> | undefined): Record<string, string> =>
  Object.fromEntries((report?.problems ?? []).map(({ source_id, reason }) => [source_id ?? "", reason]));
