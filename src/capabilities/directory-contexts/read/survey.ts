import type { Dirent } from "node:fs";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type FindContentChanges, openContentChanges } from "../freshness/content-change.ts";
import { fingerprintOf, statOf } from "../freshness/fingerprint.ts";
import { CONTEXT_FILE } from "../schema.ts";
import { type ContextReading, readContextFile } from "./read-context.ts";
import { type DirectoryChoice, type ScannedDirectory, scanDirectories } from "./scan-directories.ts";
import { contextFileOf } from "./scope.ts";
import { readSettings } from "./settings.ts";

export interface SurveyEntry {
  readonly scope: string;
  readonly state: "fresh" | "stale" | "missing";
  readonly computed: string;
  readonly reading: ContextReading;
  /** For stale entries, after `withContentChanges`, if git can tell. */
  readonly contentChanged?: boolean;
  readonly directory: ScannedDirectory;
}
export interface ProjectSurvey {
  readonly root: string;
  readonly entries: readonly SurveyEntry[];
  readonly skipped: number;
}
export interface ContextReader {
  /** The context of a directory, by real path; `outside` if its file is a link that leaves the root. */
  of(root: string, directory: string): ContextReading | { readonly kind: "outside" };
  /** A file that is known not to be a link. */
  file(path: string): ContextReading;
}

/** Reads contexts and caches them by stat: a second list parses nothing. */
export function openContextReader(): ContextReader {
  const remembered = new Map<string, { readonly key: string; readonly reading: ContextReading }>();
  const file = (path: string): ContextReading => {
    const stat = statOf(path);
    const key = `${stat?.mtimeMs}:${stat?.ctimeMs}:${stat?.size}:${stat?.ino}`;
    const known = remembered.get(path);
    if (stat && known?.key === key) return known.reading;
    const reading = readContextFile(path);
    remembered.set(path, { key, reading });
    return reading;
  };
  return {
    file,
    of(root, directory) {
      const place = contextFileOf(root, directory);
      if (place.kind === "absent") return { kind: "missing" };
      return place.kind === "outside" ? place : file(place.directory);
    },
  };
}

/** How many contexts are read before other work and the signal get a turn. */
const SLICE = 64;

/** Every directory that should have a context, with the one it has and its state. */
export async function surveyProject(
  root: string,
  reader: ContextReader,
  signal: AbortSignal,
  which?: DirectoryChoice,
): Promise<ProjectSurvey> {
  const { directories, skipped } = await scanDirectories(root, readSettings(root), signal, which);
  const entries: SurveyEntry[] = [];
  for (const [place, directory] of directories.entries()) {
    if (place % SLICE === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    entries.push(entryOf(root, directory, reader));
  }
  return { root, skipped, entries };
}

/** The same survey; stale entries also say whether their content changed, if git can tell. */
export async function withContentChanges(
  survey: ProjectSurvey,
  signal: AbortSignal,
  findChanges: FindContentChanges = openContentChanges(),
): Promise<ProjectSurvey> {
  const stale = survey.entries.flatMap(({ scope, state, reading }) =>
    state === "stale" && reading.kind === "read" ? [{ scope, fingerprint: reading.context.fingerprint }] : [],
  );
  const changed = await findChanges(survey.root, stale, signal);
  const entries = survey.entries.map((entry) => {
    const contentChanged = changed.get(entry.scope);
    return contentChanged === undefined ? entry : { ...entry, contentChanged };
  });
  return { ...survey, entries };
}

function entryOf(root: string, directory: ScannedDirectory, reader: ContextReader): SurveyEntry {
  const { scope, listing } = directory;
  const reading = readingOf(`${root}/${scope}`, root, { reader, context: listing?.context });
  const computed = fingerprintOf(listing?.files ?? []);
  if (reading.kind !== "read") return { scope, state: "missing", computed, reading, directory };
  const state = reading.context.fingerprint === computed ? "fresh" : "stale";
  return { scope, state, computed, reading, directory };
}

function readingOf(
  path: string,
  root: string,
  { reader, context }: { readonly reader: ContextReader; readonly context: Dirent | undefined },
): ContextReading {
  if (context === undefined) return { kind: "missing" };
  if (context.isFile()) return reader.file(`${path}/${CONTEXT_FILE}`);
  const reading = reader.of(root, path);
  return reading.kind === "outside" ? { kind: "corrupt", reason: "a link that leaves the project" } : reading;
}
