import { basename, join } from "node:path";
import { listDirectory } from "../freshness/fingerprint.ts";
import type { ScannedDirectory } from "../read/scan-directories.ts";
import { manifestsAmong } from "./sources/manifests.ts";
import { type OwnPackages, openOwnPackages } from "./sources/own-package.ts";
import { readBeside, type SourceFile } from "./sources/sources.ts";
import { openProjectMap, type ProjectMap } from "./summary/project-map.ts";
import { type SummaryResult, summarize } from "./summary/summary.ts";

/** What is read once for all summaries of a project. */
export interface SummarizedProject {
  readonly root: string;
  readonly ownPackages: OwnPackages;
  readonly projectMap: ProjectMap;
}
interface SummarizedDirectory {
  readonly directory: ScannedDirectory;
  readonly sources: readonly SourceFile[];
  /** Child directories with their summaries. Whether a summary is informative does not depend on them. */
  readonly children: readonly { readonly name: string; readonly summary: string }[];
}

export const openSummarizedProject = (root: string): SummarizedProject => ({
  root,
  ownPackages: openOwnPackages(root),
  projectMap: openProjectMap(root),
});

/** What one directory is for, from its files and the documents above it. */
export async function summarizeDirectory(
  { directory, sources, children }: SummarizedDirectory,
  project: SummarizedProject,
): Promise<SummaryResult> {
  const { scope, filesBelow } = directory;
  const ownPackage = describedPackage(scope, project);
  return summarize({
    ...{ scope, sources, children, ownPackage },
    directoryName: basename(join(project.root, scope)),
    manifests: manifestsAmong(sources),
    beside: await readBeside(project.root, scope),
    isOnlyCode: isOnlyCode(scope, project),
    isBelowCode: isBelowCode(scope, project),
    projectReadme: project.projectMap.readme,
    projectNames: [basename(project.root), (project.ownPackages(".")?.name ?? "").replace(/^.*\//, "")],
    ...(isPart(scope, project) && { projectDescription: project.ownPackages(".")?.description ?? "" }),
    inDocuments: project.projectMap.about(scope, ownPackage?.scope === scope ? ownPackage.name : undefined),
    ...(filesBelow !== undefined && { filesBelow }),
  });
}

/** Whether the directory is a package of a workspace, and not the one with the name of the whole. */
function isPart(scope: string, { root, ownPackages }: SummarizedProject): boolean {
  const [own, whole] = [ownPackages(scope), ownPackages(".")];
  const name = own?.name.replace(/^.*\//, "");
  return scope !== "." && own?.scope === scope && name !== whole?.name && name !== basename(root);
}

/** The package of a directory; if its manifest says nothing, with what the project's documents say. */
function describedPackage(scope: string, { ownPackages, projectMap }: SummarizedProject) {
  const own = ownPackages(scope);
  if (!own || (own.description !== "" && own.description !== own.name)) return own;
  return { ...own, description: projectMap.about(own.scope, own.name) };
}

/** Whether the package has one directory of code, which may be below directories with nothing else, such as `src/main/java/org`. */
function isOnlyCode(scope: string, { root, ownPackages }: SummarizedProject): boolean {
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

/** Whether the code of the package is at its top, so that a directory below is a part of it. */
function isBelowCode(scope: string, { root, ownPackages }: SummarizedProject): boolean {
  const top = ownPackages(scope)?.scope;
  const files = top === undefined || top === scope ? [] : (listDirectory(join(root, top))?.files ?? []);
  return files.filter(({ name }) => CODE.test(name)).length > MOST_AT_TOP;
}
/** At the top of a package, an entry and files that set up tools. */
const MOST_AT_TOP = 3;
const CODE = /\.(cs|fs|vb|java|kt|scala|go|rs|php|rb|py|swift|[cm]?[jt]sx?)$/;
const NOT_THE_CODE =
  /^(tests?|specs?|e2e|docs?|examples?|samples?|demos?|bench(marks?)?|scripts?|tools|website|www|site|resources|assets|dist|build|target|node_modules|\..*)$|tests?$/i;
