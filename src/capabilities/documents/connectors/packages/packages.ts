import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readInside } from "../../../../core/files/read-inside.ts";
import { byCodeUnit } from "../../../../core/order.ts";
import { packageTopic, topicOf } from "../../topics.ts";
import type { Connector, Content, Item, ItemReading, ListRequest } from "../connector.ts";
import type { Dependency, ReadDependencies } from "./dependency.ts";
import { goDependencies } from "./go.ts";
import { npmDependencies } from "./npm.ts";
import {
  findInstalled,
  type InstalledPackage,
  MOST_FILE_BYTES,
  type PackageFile,
  shownVersion,
} from "./package-files.ts";
import { pythonDependencies } from "./python.ts";

interface PackagesOptions {
  readonly label: string;
  /** As configured; relative to the project. */
  readonly root: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxPackages: number;
  readonly tags: readonly string[];
  readonly settings: string;
}

const MANAGERS: readonly ReadDependencies[] = [npmDependencies, goDependencies, pythonDependencies];

/** The packages that the manifests of a directory name, sorted. */
export async function dependenciesOf(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Dependency[]> {
  const real = await realpath(root).catch(() => root);
  const declared = await Promise.all(MANAGERS.map((read) => read(real, env)));
  return declared.flat().sort((a, b) => byCodeUnit(a.name, b.name));
}

/** Documents and declarations of the installed packages that the project depends on directly. */
export function packagesConnector(options: PackagesOptions): Connector {
  const root = resolve(options.project, options.root);
  return {
    label: options.label,
    type: "packages",
    parallel: 16,
    async check() {
      const { length } = await dependenciesOf(root, options.env);
      if (length > 0) return { healthy: true, notes: `dependencies: ${length}` };
      return {
        healthy: false,
        notes: "no manifest with dependencies (package.json, go.mod, pyproject.toml)",
      };
    },
    async list(signal, request) {
      const declared = await dependenciesOf(root, options.env);
      const isWanted = wantedPackages(options.label, request);
      const all = declared.filter(({ name }) => isWanted(name));
      const items = new Map<string, Item>();
      const leftOut: string[] = [];
      for (const dependency of all.slice(0, options.maxPackages)) {
        signal.throwIfAborted();
        const found = await findInstalled(dependency);
        if (typeof found === "string") leftOut.push(found);
        else for (const item of itemsOf(found, options)) items.set(item.sourceId, item);
        if (typeof found !== "string") leftOut.push(...(await remarksOn(found, dependency)));
      }
      if (all.length > options.maxPackages)
        leftOut.push(`${all.length - options.maxPackages} more packages than max_packages`);
      return { items: [...items.values()], problems: [], leftOut };
    },
  };
}

/** Those that are stored or asked for; all, if no topics are given. */
function wantedPackages(label: string, { known, topics }: ListRequest): (name: string) => boolean {
  if (topics === undefined) return () => true;
  const wanted = new Set([...[...known.keys()].map((sourceId) => topicOf(label, sourceId)), ...topics]);
  return (name) => wanted.has(packageTopic(name));
}

async function remarksOn(
  { name, version, left }: InstalledPackage,
  dependency: Dependency,
): Promise<string[]> {
  const locked = await dependency.locked();
  return [
    ...(left > 0 ? [`${name}: ${left} more files than are read of a package`] : []),
    ...(locked !== undefined && locked !== version
      ? [`${name}: ${version} is installed, the lock file says ${shownVersion(locked)}`]
      : []),
  ];
}

const itemsOf = (installed: InstalledPackage, options: PackagesOptions): Item[] =>
  installed.files.map((file) => {
    const { path, size, modifiedMs } = file;
    const group = `${installed.name}@${installed.version}`;
    const stamp = `${size}:${modifiedMs}:${options.settings}`;
    return {
      sourceId: `${group}/${path}`,
      stamp,
      group,
      updatedAt: Math.floor(modifiedMs / 1_000),
      read: () => readFile(file, stamp, { installed, options }),
    };
  });

async function readFile(
  { path, modifiedMs }: PackageFile,
  stamp: string,
  { installed, options }: { readonly installed: InstalledPackage; readonly options: PackagesOptions },
): Promise<ItemReading> {
  const { name, version, directory } = installed;
  const bytes = await readInside(directory, path, MOST_FILE_BYTES);
  if (bytes === undefined) return { kind: "skipped", reason: "a link, or no longer there", stamp };
  return {
    kind: "content",
    ...textIn(path, bytes),
    contentType: "text/plain",
    path,
    stamp,
    sourceUrl: pathToFileURL(join(directory, path)).href,
    title: `${name} ${version}: ${path}`,
    author: null,
    createdAt: undefined,
    updatedAt: undefined,
    guessedAt: Math.floor(modifiedMs / 1_000),
    metadata: { package: name, version },
    tags: options.tags,
  };
}

/** The description of a Python distribution follows its headers. */
function textIn(path: string, bytes: Buffer): Pick<Content, "bytes" | "format"> {
  if (!path.endsWith("/METADATA"))
    return { bytes, format: /\.(?:md|mdx|markdown|rst)$/i.test(path) ? "markdown" : "api" };
  const body = /\r?\n\r?\n/.exec(bytes.toString("latin1"))?.index ?? 0;
  return { bytes: bytes.subarray(body), format: "markdown" };
}
