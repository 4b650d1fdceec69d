import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { draftContext } from "../../src/capabilities/directory-contexts/generate/draft.ts";
import { openImportMap } from "../../src/capabilities/directory-contexts/generate/imports/import-map.ts";
import { openNodeManagers } from "../../src/capabilities/directory-contexts/generate/sources/node-manager.ts";
import { readSources } from "../../src/capabilities/directory-contexts/generate/sources/sources.ts";
import {
  openSummarizedProject,
  summarizeDirectory,
} from "../../src/capabilities/directory-contexts/generate/summarize-directory.ts";
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
  const summarized = { directory, sources, children: [] };
  const { text: summary } = await summarizeDirectory(summarized, openSummarizedProject(root));
  return draftContext({
    root,
    directory,
    sources,
    mode,
    imports: openImportMap(root),
    nodeManagers: openNodeManagers(root),
    summary,
    children: [],
  });
}
