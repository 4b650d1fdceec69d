import { join } from "node:path";
import { readBounded } from "../read/read-context.ts";
import type { SurveyEntry } from "../read/survey.ts";
import { CONTEXT_FILE } from "../schema.ts";
import { type ContextDraft, draftContext } from "./draft.ts";
import type { ImportMap } from "./imports/import-map.ts";
import { type ExistingContext, type MergedContext, mergeContext } from "./merge.ts";
import type { SummaryWriter } from "./model-writer.ts";
import type { NodeManagers } from "./sources/node-manager.ts";
import { readSources, type SourceFile } from "./sources/sources.ts";
import { type SummarizedProject, summarizeDirectory } from "./summarize-directory.ts";
import { childrenOf, type ProjectTree, projectOf, type SummaryByScope } from "./tree-summaries.ts";

export type ContextPlan =
  | {
      readonly scope: string;
      readonly file: string;
      readonly refusal: string;
      readonly isLeftOut?: undefined;
      readonly summary?: undefined;
    }
  /** No context: nothing informative can be said. */
  | {
      readonly scope: string;
      readonly isLeftOut: true;
      readonly refusal?: undefined;
      readonly summary?: undefined;
    }
  | {
      readonly scope: string;
      readonly file: string;
      /** The file's text when the plan was made, valid or not. */
      readonly before?: string;
      readonly existing?: ExistingContext;
      readonly merged: MergedContext;
      /** Merges again, with another text or fingerprint. */
      merge(existing: ExistingContext | undefined, fingerprint?: string): MergedContext;
      readonly summary: string;
      readonly refusal?: undefined;
      readonly isLeftOut?: undefined;
    };

/** What all plans of one run share. */
export interface RegenerateRun extends ProjectTree, SummarizedProject {
  readonly isForced: boolean;
  readonly isFull: boolean;
  readonly imports: ImportMap;
  readonly nodeManagers: NodeManagers;
  /** The directory that the user named. It gets a context, whatever can be said about it. */
  readonly named: string | undefined;
  readonly writer: SummaryWriter | undefined;
  readonly now: string;
  readonly warnings: string[];
}

/** Plans one directory's context, or says why it is left alone. */
export async function planEntry(
  entry: SurveyEntry,
  run: RegenerateRun,
  summaries: SummaryByScope,
): Promise<ContextPlan> {
  const { scope, reading } = entry;
  const file = join(run.root, scope, CONTEXT_FILE);
  const refusal = refusalOf(entry, run.isForced);
  if (refusal !== undefined) return { scope, file, refusal };
  const before = reading.kind === "missing" ? undefined : readBounded(file);
  const existing =
    reading.kind === "read" && typeof before === "string"
      ? { text: before, context: reading.context }
      : undefined;
  const sources = await readSources(run.root, entry.directory);
  const children = childrenOf(scope, run, summaries);
  const { text, isInformative } = await summarizeDirectory(
    { directory: entry.directory, sources, children },
    run,
  );
  const draft = draftOf(entry, run, { sources, existing, summaries, summary: text });
  const written = await run.writer?.write({ scope, sources, draft, existing: existing?.context });
  if (written?.warning) run.warnings.push(written.warning);
  const isRequired = entry.directory.isRequired || scope === run.named;
  if (!isInformative && !isRequired && !written?.fields.summary) return { scope, isLeftOut: true };
  const merge = (present: ExistingContext | undefined, fingerprint = entry.computed): MergedContext =>
    mergeContext({
      scope,
      fingerprint,
      now: run.now,
      draft,
      ...(written && { written: written.fields }),
      ...(present && { existing: present }),
    });
  const merged = merge(existing);
  return {
    scope,
    file,
    merged,
    merge,
    summary: merged.context.summary,
    ...(typeof before === "string" && { before }),
    ...(existing && { existing }),
  };
}

interface DraftMaterial {
  readonly sources: readonly SourceFile[];
  readonly existing: ExistingContext | undefined;
  readonly summaries: SummaryByScope;
  readonly summary: string;
}

function draftOf(
  { scope, directory }: SurveyEntry,
  run: RegenerateRun,
  { sources, existing, summaries, summary }: DraftMaterial,
): ContextDraft {
  const wasFull = existing?.context.derived_fields?.some((name) => name === "files" || name === "interfaces");
  return draftContext({
    root: run.root,
    directory,
    sources,
    summary,
    mode: run.isFull || wasFull ? "full" : "lean",
    imports: run.imports,
    nodeManagers: run.nodeManagers,
    children: childrenOf(scope, run, summaries),
    ...(scope === "." && { project: projectOf(run, summaries) }),
  });
}

/** Why a file must not be written: a newer version never; an invalid file only with --force. */
function refusalOf({ reading, directory }: SurveyEntry, isForced: boolean): string | undefined {
  if (directory.listing === undefined) return "the directory cannot be read";
  if (directory.listing.context?.isSymbolicLink()) return "its context is a link";
  if (reading.kind === "unsupported") return `it has the newer schema version ${reading.version}`;
  if (reading.kind === "corrupt" && !isForced)
    return "it is invalid; correct it, or use --force to replace it";
  return undefined;
}
