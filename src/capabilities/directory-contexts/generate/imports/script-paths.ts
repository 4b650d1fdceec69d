import { posix } from "node:path";
import { parse } from "jsonc-parser";
import { isRecord } from "../../schema.ts";
import { at, textAt } from "../sources/manifests.ts";

/** Where imports that are no paths may lead, as the nearest tsconfig.json or jsconfig.json says. */
export interface ScriptPaths {
  /** From the root of the project, the first that is there counts. */
  candidates(written: string): readonly string[];
}

/** Configurations that extend each other; no project needs more. */
const MAX_EXTENDS = 5;

/** `text` gives a file of the project by its path, empty where there is none. */
export function readScriptPaths(file: string, text: (path: string) => string): ScriptPaths {
  const { paths, base } = configured(file, text, MAX_EXTENDS);
  return {
    candidates: (written) => [
      ...(paths?.rules.flatMap(({ before, after, targets }) => {
        if (after === undefined ? written !== before : !isBetween(written, before, after)) return [];
        const middle = written.slice(before.length, written.length - (after ?? "").length);
        return targets.map((target) =>
          posix.join(
            paths.base,
            target.replace("*", () => middle),
          ),
        );
      }) ?? []),
      ...(base === undefined ? [] : [posix.join(base, written)]),
    ],
  };
}

const isBetween = (written: string, before: string, after: string) =>
  written.length >= before.length + after.length && written.startsWith(before) && written.endsWith(after);

interface Configured {
  /** What `baseUrl` says. */
  readonly base?: string;
  readonly paths?: { readonly base: string; readonly rules: readonly Rule[] };
}
interface Rule {
  readonly before: string;
  /** What follows the `*`; absent where there is none. */
  readonly after?: string;
  readonly targets: readonly string[];
}

/** What a file does not say itself it takes from the one it extends, with the paths as seen from there. */
function configured(file: string, text: (path: string) => string, left: number): Configured {
  const config = readTolerantly(text(file));
  const parent = textAt(config, "extends");
  const inherited =
    left > 0 && parent.startsWith(".")
      ? configured(withExtension(posix.join(posix.dirname(file), parent)), text, left - 1)
      : {};
  const baseUrl = textAt(config, "compilerOptions", "baseUrl");
  const base = baseUrl === "" ? inherited.base : posix.join(posix.dirname(file), baseUrl);
  const paths = at(config, "compilerOptions", "paths");
  const own = isRecord(paths) ? { base: base ?? posix.dirname(file), rules: rulesOf(paths) } : undefined;
  const known = own ?? inherited.paths;
  return { ...(base !== undefined && { base }), ...(known && { paths: known }) };
}

const withExtension = (file: string) => (file.endsWith(".json") ? file : `${file}.json`);

/** The longest prefix before the star counts first. */
const rulesOf = (paths: Readonly<Record<string, unknown>>): readonly Rule[] =>
  Object.entries(paths)
    .map(([pattern, targets]) => {
      const [before = "", after] = pattern.split("*");
      const texts = Array.isArray(targets) ? targets.filter((each) => typeof each === "string") : [];
      return { before, ...(after !== undefined && { after }), targets: texts };
    })
    .sort((a, b) => b.before.length - a.before.length);

function readTolerantly(text: string): unknown {
  try {
    return parse(text);
  } catch {
    // Nested deeper than the stack goes.
    return undefined;
  }
}
