import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../core/config/config.ts";
import { Connectors } from "../../core/config/connectors.ts";
import { isTooWide } from "../../core/files/allowed-roots.ts";
import { globFilter } from "../../core/scan/glob.ts";
import { configuredLabels } from "./connectors/open-connectors.ts";
import { isOnDemand } from "./topics.ts";

/** Documents that people write for people. */
export const DOCUMENT_FILES = ["**/*.{md,mdx,markdown,rst,txt,html,htm,pdf}"];
export const DEFAULT_SOURCE = "filesystem:project";

const FOLDERS = ["docs", "doc", "documentation"];
const ROOT_FILES = ["*.{md,mdx,markdown,rst,html,htm,pdf}"];
const INCLUDE = [
  ...ROOT_FILES,
  "**/{README,Readme,readme}.{md,mdx,markdown,rst}",
  ...FOLDERS.map((folder) => `${folder}/**/*.{md,mdx,markdown,rst,html,htm,pdf}`),
];

/** The section that the default source would have in contextful.toml. */
export const defaultSection = { root: ".", include: INCLUDE, gitignore: true } as const;

/**
 * The sources that nobody has to configure: the documents in the usual places, if there is no other source, and what is read
 * only when a question asks for it.
 */
export function withDefaultSources(config: Config, root: string): Config {
  if (isTooWide(root)) return config;
  const { connectors } = config;
  const isMissing = (type: keyof typeof connectors) => Object.keys(connectors[type]).length === 0;
  const defaults = {
    ...(!hasConnectors(config) && hasDocuments(root) && { filesystem: { project: defaultSection } }),
    ...(isMissing("commits") && existsSync(join(root, ".git")) && { commits: { project: {} } }),
    ...(isMissing("packages") && hasManifest(root) && { packages: { project: {} } }),
  };
  return { ...config, connectors: { ...connectors, ...withoutEmpty(Connectors.parse(defaults)) } };
}

/** Only the documents in the usual places. A repository's own configuration may name addresses inside a worker's network. */
export const withOwnDocuments = (config: Config): Config => ({
  ...config,
  connectors: Connectors.parse({ filesystem: { project: defaultSection } }),
});

const withoutEmpty = (connectors: Partial<Config["connectors"]>): Partial<Config["connectors"]> =>
  Object.fromEntries(Object.entries(connectors).filter(([, named]) => Object.keys(named).length > 0));

/** Whether there is a source besides those that are read on demand. */
export const hasConnectors = (config: Config): boolean =>
  configuredLabels(config).some((label) => !isOnDemand(label));

const MANIFESTS = ["package.json", "go.mod", "pyproject.toml", "requirements.txt"];
const hasManifest = (root: string) => MANIFESTS.some((file) => existsSync(join(root, file)));

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
