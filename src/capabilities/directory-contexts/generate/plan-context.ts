import { join } from "node:path";
import { listDirectory } from "../freshness/fingerprint.ts";
import { readBounded } from "../read/read-context.ts";
import type { SurveyEntry } from "../read/survey.ts";
import { CONTEXT_FILE } from "../schema.ts";
import { type ContextDraft, draftContext } from "./draft.ts";
import type { ImportMap } from "./imports/import-map.ts";
import { type ExistingContext, type MergedContext, mergeContext } from "./merge.ts";
import type { SummaryWriter } from "./model-writer.ts";
import type { NodeManagers } from "./sources/node-manager.ts";
import type { OwnPackages } from "./sources/own-package.ts";
import { readBeside, readSources, type SourceFile } from "./sources/sources.ts";
import type { ProjectMap } from "./summary/project-map.ts";
import { childrenOf, type ProjectTree, projectOf, type SummaryByScope } from "./tree-summaries.ts";

export type ContextPlan =
  | { readonly scope: string; readonly file: string; readonly refusal: string; readonly summary?: undefined }
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
    };

/** What all plans of one run share. */
export interface RegenerateRun extends ProjectTree {
  readonly root: string;
  readonly isForced: boolean;
  readonly isFull: boolean;
  readonly imports: ImportMap;
  readonly nodeManagers: NodeManagers;
  readonly ownPackages: OwnPackages;
  readonly projectMap: ProjectMap;
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
  const beside = await readBeside(run.root, scope);
  const draft = draftOf(entry, run, { sources, beside, existing, summaries });
  const written = await run.writer?.write({ scope, sources, draft, existing: existing?.context });
  if (written?.warning) run.warnings.push(written.warning);
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
  readonly beside: SourceFile | undefined;
  readonly existing: ExistingContext | undefined;
  readonly summaries: SummaryByScope;
}

function draftOf(
  { scope, directory }: SurveyEntry,
  run: RegenerateRun,
  { sources, beside, existing, summaries }: DraftMaterial,
): ContextDraft {
  const wasFull = existing?.context.derived_fields?.some((name) => name === "files" || name === "interfaces");
  return draftContext({
    root: run.root,
    directory,
    sources,
    beside,
    mode: run.isFull || wasFull ? "full" : "lean",
    imports: run.imports,
    nodeManagers: run.nodeManagers,
    ownPackages: run.ownPackages,
    projectMap: run.projectMap,
    isOnlyCode: isOnlyCode(scope, run),
    children: childrenOf(scope, run, summaries),
    ...(scope === "." && { project: projectOf(run.survey, summaries) }),
  });
}

/** Whether the package has one directory of code, which may be below directories with nothing else, such as `src/main/java/org`. */
function isOnlyCode(scope: string, { root, ownPackages }: RegenerateRun): boolean {
  const top = ownPackages(scope)?.scope;
  if (top === undefined || top === scope) return false;
  const segments = (top === "." ? scope : scope.slice(top.length + 1)).split("/");
  if (segments.some((name) => NOT_THE_CODE.test(name))) return false;
  for (const [depth] of segments.entries()) {
    const listing = listDirectory(join(root, top, ...segments.slice(0, depth)));
    const directories = [...(listing?.directories ?? [])].filter((name) => !NOT_THE_CODE.test(name));
    // Beside `src`, the top of a package may have anything.
    if (depth === 0 && segments[0] === "src") continue;
    if (
      directories.length !== 1 ||
      (depth > 0 && listing?.files.some(({ name }) => !/^(module|package)-info\./.test(name)))
    )
      return false;
  }
  return segments.length > 1 || segments[0] !== "src";
}
const NOT_THE_CODE =
  /^(tests?|specs?|e2e|docs?|examples?|samples?|demos?|bench(marks?)?|scripts?|tools|website|www|site|resources|assets|dist|build|target|node_modules|\..*)$|tests?$/i;

/** Why a file must not be written: a newer version never; an invalid file only with --force. */
function refusalOf({ reading, directory }: SurveyEntry, isForced: boolean): string | undefined {
  if (directory.listing === undefined) return "the directory cannot be read";
  if (directory.listing.context?.isSymbolicLink()) return "its context is a link";
  if (reading.kind === "unsupported") return `it has the newer schema version ${reading.version}`;
  if (reading.kind === "corrupt" && !isForced)
    return "it is invalid; correct it, or use --force to replace it";
  return undefined;
}
