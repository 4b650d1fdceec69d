import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { draftContext } from "../../src/capabilities/directory-contexts/generate/draft.ts";
import { openImportMap } from "../../src/capabilities/directory-contexts/generate/imports/import-map.ts";
import { openNodeManagers } from "../../src/capabilities/directory-contexts/generate/sources/node-manager.ts";
import { openOwnPackages } from "../../src/capabilities/directory-contexts/generate/sources/own-package.ts";
import {
  readBeside,
  readSources,
} from "../../src/capabilities/directory-contexts/generate/sources/sources.ts";
import { openProjectMap } from "../../src/capabilities/directory-contexts/generate/summary/project-map.ts";
import { scanDirectories } from "../../src/capabilities/directory-contexts/read/scan-directories.ts";
import { Settings } from "../../src/capabilities/directory-contexts/read/settings.ts";
import { tempDir } from "./temp-dir.ts";

/** The draft for one directory of a tree given as text. */
export async function draftOf(
  files: Readonly<Record<string, string>>,
  scope: string,
  mode: "lean" | "full" = "lean",
) {
  using dir = tempDir();
  const root = join(dir.path, "project");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const { directories } = await scanDirectories(root, Settings.parse({ min_tokens: 0 }));
  const directory = directories.find((each) => each.scope === scope);
  if (!directory) throw new Error(`no directory ${scope}`);
  const sources = await readSources(root, directory);
  return draftContext({
    root,
    directory,
    sources,
    mode,
    imports: openImportMap(root),
    nodeManagers: openNodeManagers(root),
    ownPackages: openOwnPackages(root),
    projectMap: openProjectMap(root),
    beside: await readBeside(root, scope),
    children: [],
  });
}
