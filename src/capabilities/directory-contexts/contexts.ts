import { resolve } from "node:path";
import { dirname } from "node:path/posix";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { asDomainError, DomainError } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import type { CheckAnswer, ListAnswer, QueryAnswer } from "./answers.ts";
import { type FindContentChanges, openContentChanges } from "./freshness/content-change.ts";
import { fingerprintOf, listDirectory } from "./freshness/fingerprint.ts";
import type { FindNeededContexts } from "./generate/needed-contexts.ts";
import type { ContextReading } from "./read/read-context.ts";
import { parentOf } from "./read/scan-directories.ts";
import { locateScope } from "./read/scope.ts";
import { openContextReader, type ProjectSurvey, surveyProject, withContentChanges } from "./read/survey.ts";
import { CONTEXT_FILE, type DirectoryContext, FILTERABLE, METADATA } from "./schema.ts";

export interface DirectorySummary {
  readonly scope: string;
  readonly summary: string;
  readonly state: "fresh" | "stale";
  /** For a stale one: whether its files differ from when it was written; absent if git cannot tell. */
  readonly contentChanged?: boolean;
}

interface AskedContext {
  readonly scope: string;
  readonly filter: readonly string[];
  readonly path: string | undefined;
}

export interface Contexts {
  /** The real path of the project that a person or agent means. */
  root(path?: string): Promise<string>;
  /** Every directory that may get a context. */
  survey(root: string, signal: AbortSignal): Promise<ProjectSurvey>;
  /** Every directory that has a context or should have one. */
  surveyNeeded(root: string, signal: AbortSignal): Promise<ProjectSurvey>;
  query(scope: string, filter: readonly string[], path?: string): Promise<QueryAnswer>;
  /** The same answer. If files have changed since the context was written, a notice beside it says so. */
  queryAndCheck(asked: AskedContext, call: Pick<Call, "signal" | "notice">): Promise<QueryAnswer>;
  check(scope: string, path: string | undefined, signal: AbortSignal): Promise<CheckAnswer>;
  list(path: string | undefined, signal: AbortSignal): Promise<ListAnswer>;
  /** The contexts of the directories between the root and each of these files, root first, each once. */
  summariesAbove(
    files: readonly string[],
    options: { readonly path?: string | undefined; readonly signal: AbortSignal },
  ): Promise<DirectorySummary[]>;
}

/** Answers the contract's three questions. */
export function openContexts(
  machine: Machine,
  findChanges: FindContentChanges = openContentChanges(),
): Contexts {
  const reader = openContextReader();
  const survey = (root: string, signal: AbortSignal) => surveyProject(root, reader, signal);
  let findNeeded: FindNeededContexts | undefined;
  const surveyNeeded = async (root: string, signal: AbortSignal) => {
    // The parsers are loaded only for this.
    findNeeded ??= (await import("./generate/needed-contexts.ts")).openNeededContexts();
    return findNeeded(await survey(root, signal), signal);
  };
  const surveyLarge = (root: string, signal: AbortSignal) => surveyProject(root, reader, signal, "large");

  const findIn = (root: string, scope: string) => {
    const place = locateScope(root, scope);
    if (place.kind === "absent") return { error: missingText(scope) };
    if (place.kind === "outside") return { error: TRAVERSAL };
    const reading = reader.of(root, place.directory);
    if (reading.kind !== "read") return { error: errorText(scope, reading) };
    const { context } = reading;
    return { root, place, context, written: { scope: place.path, fingerprint: context.fingerprint } };
  };
  const find = async (scope: string, path: string | undefined) => {
    const root = await rootOf(machine, path);
    return typeof root === "string" ? findIn(root, scope) : { error: root.error ?? missingText(scope) };
  };
  const fingerprintNow = (directory: string) => fingerprintOf(listDirectory(directory)?.files ?? []);

  const contexts: Contexts = {
    survey,
    surveyNeeded,
    root: (path) => machine.roots.directory(path),

    async query(scope, filter, path) {
      const found = await find(scope, path);
      if ("error" in found) return { found: false, scope, error: found.error };
      return { found: true, scope, context: filtered(found.context, filter) };
    },

    async queryAndCheck({ scope, filter, path }, { signal, notice }) {
      const answer = await contexts.query(scope, filter, path);
      if (!answer.found) return answer;
      const { state, content_changed } = await contexts.check(scope, path, signal);
      if (state === "stale" && content_changed !== false) notice?.(STALE);
      return answer;
    },

    async check(scope, path, signal) {
      const found = await find(scope, path);
      if ("error" in found) return { scope, state: "missing", error: found.error };
      const { root, place, context, written } = found;
      const computed = fingerprintNow(place.directory);
      const isFresh = context.fingerprint === computed;
      const changed = await findChanges(root, isFresh ? [] : [written], signal);
      const contentChanged = changed.get(place.path);
      return {
        scope,
        state: isFresh ? "fresh" : "stale",
        fingerprint: { stored: context.fingerprint, computed },
        last_updated: context.last_updated,
        ...(contentChanged !== undefined && { content_changed: contentChanged }),
      };
    },

    async list(path, signal) {
      const root = await rootOf(machine, path);
      const shown = resolve(machine.root, path ?? ".");
      if (typeof root !== "string") return failedList(shown, root.error);
      try {
        return listAnswer(
          shown,
          await withContentChanges(await surveyLarge(root, signal), signal, findChanges),
        );
      } catch (thrown) {
        signal.throwIfAborted();
        const error = asDomainError(thrown);
        if (error.code !== "internal") return failedList(shown, error.message);
        machine.logger.error("directory-contexts: the scan failed.", thrown);
        return failedList(shown);
      }
    },

    async summariesAbove(files, { path, signal }) {
      const root = await rootOf(machine, path);
      if (typeof root !== "string") return [];
      const found = [];
      for (const scope of scopesAbove(files)) {
        await yieldToEventLoop();
        signal.throwIfAborted();
        const each = findIn(root, scope);
        if ("error" in each) continue;
        const isFresh = each.context.fingerprint === fingerprintNow(each.place.directory);
        found.push({ ...each, scope, isFresh });
      }
      const stale = found.flatMap(({ isFresh, written }) => (isFresh ? [] : [written]));
      const changed = await findChanges(root, stale, signal);
      return found.map(({ scope, place, context, isFresh }) => {
        const contentChanged = changed.get(place.path);
        return {
          scope,
          summary: context.summary,
          state: isFresh ? "fresh" : "stale",
          ...(contentChanged !== undefined && { contentChanged }),
        };
      });
    },
  };
  return contexts;
}

const STALE = "Files of this directory have changed since this was written: compare it with the code.";

/** Finding the real path of a directory takes time quadratic in its depth, so only these levels are looked at. */
const MOST_LEVELS = 64;

function scopesAbove(files: readonly string[]): string[] {
  const scopes = new Set(["."]);
  for (const file of files) {
    const start = dirname(file).split("/").slice(0, MOST_LEVELS).join("/");
    for (let scope = start; !scopes.has(scope) && scope !== "/"; scope = parentOf(scope)) scopes.add(scope);
  }
  return [...scopes].sort();
}

const TRAVERSAL = "Invalid scope: path traversal detected";
const missingText = (scope: string) =>
  `No ${CONTEXT_FILE} found at scope "${scope}". This scope may be below the min_tokens threshold; use list_contexts to see eligible scopes.`;

function errorText(
  scope: string,
  reading: Exclude<ContextReading, { kind: "read" }> | { kind: "outside" },
): string {
  switch (reading.kind) {
    case "missing":
      return missingText(scope);
    case "outside":
      return TRAVERSAL;
    case "unsupported":
      return `Unsupported schema version ${reading.version} (this tool supports version 1). Upgrade dotcontext to read this file.`;
    case "corrupt":
      return `Invalid or corrupt ${CONTEXT_FILE} at scope "${scope}"`;
  }
}

/** The project's real path. If a rule forbids the path: the sentence to show. */
async function rootOf(machine: Machine, path: string | undefined): Promise<string | { error?: string }> {
  try {
    return await machine.roots.directory(path);
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    return thrown.code === "forbidden_path" ? { error: thrown.message } : {};
  }
}

/** Everything in schema order. With a filter: the metadata, then the fields in the order asked. */
function filtered(context: DirectoryContext, filter: readonly string[]): Record<string, unknown> {
  if (filter.length === 0) return context;
  const wanted = [...METADATA, ...filter.flatMap((name) => FILTERABLE.filter((field) => field === name))];
  return Object.fromEntries(
    wanted.flatMap((field) => (context[field] === undefined ? [] : [[field, context[field]]])),
  );
}

function listAnswer(root: string, { entries, skipped }: ProjectSurvey): ListAnswer {
  return {
    root,
    total_directories: entries.length,
    skipped_directories: skipped,
    tracked: entries.filter(({ reading }) => reading.kind === "read").length,
    entries: entries.map(({ scope, state, reading, contentChanged }) =>
      reading.kind !== "read"
        ? { scope, state, has_context: false }
        : {
            scope,
            state,
            has_context: true,
            last_updated: reading.context.last_updated,
            summary: reading.context.summary,
            ...(contentChanged !== undefined && { content_changed: contentChanged }),
          },
    ),
  };
}

const failedList = (root: string, error = `Failed to scan project at "${root}"`): ListAnswer => ({
  root,
  total_directories: 0,
  skipped_directories: 0,
  tracked: 0,
  entries: [],
  error,
});
