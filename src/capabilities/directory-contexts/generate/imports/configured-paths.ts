import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { isEntered, stemOf } from "../../read/source-files.ts";
import { sourceText } from "../sources/sources.ts";
import { readScriptPaths, type ScriptPaths } from "./script-paths.ts";

/** The project's own directory that an import means by a tsconfig.json, given by its path. */
type ConfiguredPaths = (config: string, written: string) => string | undefined;

/** Reads each configuration and lists each directory once for as long as it is kept. */
export function openConfiguredPaths(root: string, isDirectory: (path: string) => boolean): ConfiguredPaths {
  const text = (path: string) => (leadsOut(path) ? "" : (sourceText(join(root, path)) ?? ""));
  const configurations = new Map<string, ScriptPaths>();
  const stems = new Map<string, ReadonlySet<string>>();
  const isModule = (path: string) => {
    const directory = posix.dirname(path);
    const known = stems.get(directory) ?? new Set(namesIn(join(root, directory)).map(stemOf));
    stems.set(directory, known);
    const name = posix.basename(path);
    return known.has(name) || known.has(stemOf(name));
  };
  return (config, written) => {
    const paths = configurations.get(config) ?? readScriptPaths(config, text);
    configurations.set(config, paths);
    const found = paths
      .candidates(written)
      .map((path) => path.replace(/(?<=.)\/$/, ""))
      .find((path) => !leadsOut(path) && (isDirectory(path) || isModule(path)));
    const target = found === undefined || isDirectory(found) ? found : posix.dirname(found);
    // What is installed may be named too, and is not the project's own.
    return target?.split("/").every((name) => name === "." || isEntered(name)) ? target : undefined;
  };
}

const leadsOut = (path: string) => /^(\.\.)?(\/|$)/.test(path);

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
