import { basename, join } from "node:path";
import { redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import type { ScannedDirectory } from "../read/scan-directories.ts";
import { type DirectoryContext, isRecord } from "../schema.ts";
import { externalDependencies, internalDependencies } from "./imports/dependencies.ts";
import type { ImportMap } from "./imports/import-map.ts";
import { manifestsAmong } from "./sources/manifests.ts";
import type { NodeManagers } from "./sources/node-manager.ts";
import type { SourceFile } from "./sources/sources.ts";
import { describeExports } from "./summary/describe-exports.ts";
import { describeFiles, describeInterfaces } from "./summary/describe-files.ts";
import { describeProject, testCommandOf } from "./summary/project.ts";

/** The fields we can write without a person or a model. */
export type ContextDraft = Pick<DirectoryContext, "summary" | "maintenance"> &
  Partial<
    Pick<
      DirectoryContext,
      | "files"
      | "interfaces"
      | "dependencies"
      | "subdirectories"
      | "testing"
      | "exports"
      | "project"
      | "structure"
    >
  >;
interface DraftInput {
  readonly root: string;
  readonly directory: ScannedDirectory;
  readonly sources: readonly SourceFile[];
  readonly mode: "lean" | "full";
  readonly imports: ImportMap;
  readonly nodeManagers: NodeManagers;
  readonly summary: string;
  /** Child directories with their summaries. */
  readonly children: readonly { readonly name: string; readonly summary: string }[];
  /** Only for the root: the whole project. */
  readonly project?: {
    readonly sources: readonly string[];
    readonly structure: readonly { readonly path: string; readonly summary: string }[];
  };
}

/** Contexts have a maximum size, so no single list may use all of it. */
const MAX_LIST_BYTES = 24_000;

/** The schema requires the field. It is in every file, so it is short. */
const MAINTENANCE = {
  lean: "contextful directories regen",
  full: "contextful directories regen --full",
} as const;

/** Describes a directory from its files alone. The same tree gives the same draft. */
export function draftContext(input: DraftInput): ContextDraft {
  const { root, directory, sources, summary, mode, imports, children, project } = input;
  const nodeManager = input.nodeManagers(directory.scope);
  const isFull = mode === "full";
  const { scope } = directory;
  const path = join(root, scope);
  const rootFiles = new Set(directory.listing?.files.map(({ name }) => name));
  const manifests = manifestsAmong(sources);
  const directoryName = basename(path);
  const internal = internalDependencies({ scope, sources, manifests }, imports);
  const external = isFull ? externalDependencies({ scope, sources, manifests }, imports) : [];
  return withoutEmpty({
    summary,
    maintenance: MAINTENANCE[mode],
    files: isFull ? [...listedFiles(path, sources)] : [],
    interfaces: isFull ? describeInterfaces(sources) : [],
    dependencies: {
      ...(internal.length > 0 && { internal }),
      ...(external.length > 0 && { external }),
    },
    subdirectories: subdirectories(children),
    testing: [...testCommandOf({ manifests, nodeManager }), ...(isFull ? testFiles(sources) : [])],
    exports: describeExports(sources),
    ...(project && {
      project: describeProject({
        directoryName,
        summary,
        manifests,
        rootFiles,
        nodeManager,
        sources: project.sources,
      }),
      structure: [...project.structure],
    }),
  });
}

export const subdirectories = (children: DraftInput["children"]) =>
  fitting(children).map((child) => ({ name: `${child.name}/`, summary: child.summary }));

/** The first files, as many as fit a context. */
export const listedFiles = (path: string, sources: readonly SourceFile[]) =>
  fitting(describeFiles(path, sources));

const testFiles = (sources: readonly SourceFile[]) =>
  fitting(sources.filter(({ isTest }) => isTest).map(({ name }) => name));

function fitting<T>(items: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > MAX_LIST_BYTES;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Empty lists and objects are left out; text that came from files is cleaned of secrets and invisible characters. */
function withoutEmpty(draft: ContextDraft): ContextDraft {
  const full = Object.entries(draft).filter(
    ([, value]) =>
      typeof value === "string" ||
      (isRecord(value) || Array.isArray(value) ? Object.keys(value).length > 0 : false),
  );
  // Cleaning keeps every key and only rewrites strings, so the result is still a draft.
  return clean(Object.fromEntries(full)) as ContextDraft;
}

/** A lone surrogate, which JSON allows, cannot be written as UTF-8: the file would never equal the draft. */
const writable = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");

function clean(value: unknown): unknown {
  if (typeof value === "string") return redactSecrets(stripInvisible(writable(value)).text).text;
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member)]));
}
