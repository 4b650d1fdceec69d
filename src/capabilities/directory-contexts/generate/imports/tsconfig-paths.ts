import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { parse } from "jsonc-parser";
import { isEntered, stemOf } from "../../read/source-files.ts";
import { isRecord } from "../../schema.ts";
import { at, textAt } from "../sources/manifests.ts";
import { sourceText } from "../sources/sources.ts";

/** Resolves a bare import through a tsconfig.json or jsconfig.json to a directory of the project. */
type TsconfigPaths = (config: string, written: string) => string | undefined;

/** Longer chains of `extends` are cut: a file may extend itself. */
const MAX_EXTENDS = 5;

/** Reads each configuration and lists each directory once. */
export function openTsconfigPaths(root: string, isDirectory: (path: string) => boolean): TsconfigPaths {
  const readConfig = (path: string) => (isOutside(path) ? "" : (sourceText(join(root, path)) ?? ""));
  const configurations = new Map<string, TsconfigMappings>();
  const stems = new Map<string, ReadonlySet<string>>();
  const isModule = (path: string) => {
    const directory = posix.dirname(path);
    const known = stems.get(directory) ?? new Set(namesIn(join(root, directory)).map(stemOf));
    stems.set(directory, known);
    return known.has(posix.basename(path)) || known.has(stemOf(posix.basename(path)));
  };
  return (config, written) => {
    const mappings = configurations.get(config) ?? readMappings(config, readConfig, MAX_EXTENDS);
    configurations.set(config, mappings);
    const found = candidatesOf(mappings, written)
      .map((path) => path.replace(/(?<=.)\/$/, ""))
      .find((path) => !isOutside(path) && (isDirectory(path) || isModule(path)));
    const target = found === undefined || isDirectory(found) ? found : posix.dirname(found);
    // The target may be an installed package, which is not part of the project.
    return target?.split("/").every((name) => name === "." || isEntered(name)) ? target : undefined;
  };
}

const isOutside = (path: string) => /^(\.\.)?(\/|$)/.test(path);

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** All paths are relative to the project's root. */
interface TsconfigMappings {
  readonly baseUrl?: string;
  /** The longest prefix first. */
  readonly paths?: readonly PathMapping[];
}
interface PathMapping {
  readonly prefix: string;
  /** What follows the `*`; absent if there is none. */
  readonly suffix?: string | undefined;
  readonly targets: readonly string[];
}

/** What a file does not set, it inherits from the file that it extends. */
function readMappings(file: string, read: (path: string) => string, left: number): TsconfigMappings {
  const config = parseLeniently(read(file));
  const directory = posix.dirname(file);
  const parent = textAt(config, "extends");
  const isFollowed = left > 0 && parent.startsWith(".");
  const parentFile = posix.join(directory, parent.endsWith(".json") ? parent : `${parent}.json`);
  const inherited = isFollowed ? readMappings(parentFile, read, left - 1) : {};
  const ownBase = textAt(config, "compilerOptions", "baseUrl");
  const baseUrl = ownBase === "" ? inherited.baseUrl : posix.join(directory, ownBase);
  const ownPaths = at(config, "compilerOptions", "paths");
  const paths = isRecord(ownPaths) ? mappingsOf(ownPaths, baseUrl ?? directory) : inherited.paths;
  return { ...(baseUrl !== undefined && { baseUrl }), ...(paths && { paths }) };
}

const mappingsOf = (paths: Readonly<Record<string, unknown>>, base: string): readonly PathMapping[] =>
  Object.entries(paths)
    .map(([pattern, targets]) => {
      const [prefix = "", suffix] = pattern.split("*");
      const texts = Array.isArray(targets) ? targets.filter((each) => typeof each === "string") : [];
      return { prefix, suffix, targets: texts.map((target) => posix.join(base, target)) };
    })
    .sort((a, b) => b.prefix.length - a.prefix.length);

const candidatesOf = ({ baseUrl, paths = [] }: TsconfigMappings, written: string): readonly string[] => [
  ...paths.flatMap(({ prefix, suffix, targets }) => {
    const middle = middleOf(written, prefix, suffix);
    if (middle === undefined) return [];
    return targets.map((target) => posix.normalize(target.replace("*", () => middle)));
  }),
  ...(baseUrl === undefined ? [] : [posix.join(baseUrl, written)]),
];

function middleOf(written: string, prefix: string, suffix: string | undefined): string | undefined {
  if (suffix === undefined) return written === prefix ? "" : undefined;
  const isMatch =
    written.length >= prefix.length + suffix.length && written.startsWith(prefix) && written.endsWith(suffix);
  return isMatch ? written.slice(prefix.length, written.length - suffix.length) : undefined;
}

function parseLeniently(text: string): unknown {
  try {
    return parse(text);
  } catch {
    // Nested too deeply for the stack.
    return undefined;
  }
}
