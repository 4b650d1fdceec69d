import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
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
const defaultSection = { root: ".", include: INCLUDE, gitignore: true } as const;

/**
 * The sources that nobody has to configure: the documents in the usual places, beside the user's own connectors, and what is
 * read only when a question asks for it.
 */
export function withDefaultSources(config: Config, root: string): Config {
  if (isTooWide(root)) return config;
  const { connectors } = config;
  const isMissing = (type: keyof typeof connectors) => Object.keys(connectors[type]).length === 0;
  const project = ownDocuments(config, root);
  const { filesystem, commits, packages } = Connectors.parse({
    ...(project && { filesystem: { project } }),
    ...(isMissing("commits") && existsSync(join(root, ".git")) && { commits: { project: {} } }),
    ...(isMissing("packages") && hasManifest(root) && { packages: { project: {} } }),
  });
  return {
    ...config,
    connectors: {
      ...connectors,
      filesystem: { ...filesystem, ...connectors.filesystem },
      commits: { ...commits, ...connectors.commits },
      packages: { ...packages, ...connectors.packages },
    },
  };
}

/** The usual places, without directories that a connector of the user reads: their documents would be there twice. */
function ownDocuments({ connectors: { filesystem } }: Config, root: string) {
  const taken = Object.values(filesystem)
    .map((section) => relative(root, resolve(root, section.root)).split(sep).join("/"))
    .filter((path) => path !== ".." && !path.startsWith("../"));
  if ("project" in filesystem || taken.includes("")) return undefined;
  const exclude = taken.map((path) => `${path.replace(/[*?[{}\\]/g, "\\$&")}/**`);
  return hasDocuments(root, exclude) ? { ...defaultSection, exclude } : undefined;
}

/** Only the documents in the usual places. A repository's own configuration may name addresses inside a worker's network. */
export const withOwnDocuments = (config: Config): Config => ({
  ...config,
  connectors: Connectors.parse({ filesystem: { project: defaultSection } }),
});

/** Whether there is a source besides those that are read on demand. */
export const hasConnectors = (config: Config): boolean =>
  configuredLabels(config).some((label) => !isOnDemand(label));

const MANIFESTS = ["package.json", "go.mod", "pyproject.toml", "requirements.txt"];
const hasManifest = (root: string) => MANIFESTS.some((file) => existsSync(join(root, file)));

function hasDocuments(root: string, exclude: readonly string[]): boolean {
  const isDocument = globFilter(INCLUDE, exclude);
  const pathsIn = (folder: string) =>
    FOLDERS.includes(folder) ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }) : [];
  try {
    return readdirSync(root, { withFileTypes: true }).some((entry) =>
      entry.isDirectory()
        ? pathsIn(entry.name).some((path) => isDocument(`${entry.name}/${path.replaceAll("\\", "/")}`))
        : isDocument(entry.name),
    );
  } catch {
    return false;
  }
}
