import { readdirSync } from "node:fs";
import type { Config } from "../../core/config/config.ts";
import { isTooWide } from "../../core/files/allowed-roots.ts";
import { globFilter } from "../../core/scan/glob.ts";

/** Documents that people write for people. */
export const DOCUMENT_FILES = ["**/*.{md,mdx,markdown,txt,html,htm,pdf}"];
export const DEFAULT_SOURCE = "filesystem:project";

const FOLDERS = ["docs", "doc", "documentation"];
const ROOT_FILES = ["*.{md,mdx,markdown,html,htm,pdf}"];
const INCLUDE = [
  ...ROOT_FILES,
  "**/{README,Readme,readme}.{md,mdx,markdown}",
  ...FOLDERS.map((folder) => `${folder}/**/*.{md,mdx,markdown,html,htm,pdf}`),
];

/** The section that the default source would have in contextful.toml. */
export const defaultSection = { root: ".", include: INCLUDE, gitignore: true } as const;

/** A project without any connector has one by default, if there are documents in the usual places. */
export function withDefaultSource(config: Config, root: string): Config {
  if (hasConnectors(config) || isTooWide(root) || !hasDocuments(root)) return config;
  const project = {
    ...defaultSection,
    include: [...INCLUDE],
    exclude: [],
    tags: [],
    max_extract_bytes: 50_000_000,
  };
  return { ...config, connectors: { ...config.connectors, filesystem: { project } } };
}

export const hasConnectors = ({ connectors }: Config): boolean =>
  Object.values(connectors).some((named) => Object.keys(named).length > 0);

function hasDocuments(root: string): boolean {
  const isDocument = globFilter(ROOT_FILES);
  try {
    return readdirSync(root, { withFileTypes: true }).some((entry) =>
      entry.isDirectory() ? hasDocumentsIn(root, entry.name) : isDocument(entry.name),
    );
  } catch {
    return false;
  }
}

function hasDocumentsIn(root: string, folder: string): boolean {
  if (!FOLDERS.includes(folder)) return false;
  const isDocument = globFilter(INCLUDE);
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" }).some((path) =>
    isDocument(`${folder}/${path.replaceAll("\\", "/")}`),
  );
}
