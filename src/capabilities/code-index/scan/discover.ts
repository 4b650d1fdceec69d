import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { isTestFile } from "../../../core/files/path-kinds.ts";
import { isSource, type LanguageId, languageOf } from "../../../core/parse/source-files.ts";
import { type ScannedFile, surveyProject } from "../../../core/scan/scan.ts";

export interface DiscoveredFile extends Pick<ScannedFile, "path" | "size" | "ctimeMs"> {
  /** `undefined` for plain text. */
  readonly language: LanguageId | undefined;
}
export interface DiscoveredFiles {
  readonly files: readonly DiscoveredFile[];
  /** Directories that are repositories of their own: their files are not in the list. */
  readonly repositories: readonly string[];
  /** Whether any file is source code, also in a language without symbols here. */
  readonly hasSource: boolean;
  readonly hasGoMod: boolean;
}
export interface ScanFlags {
  readonly includeTests: boolean;
  readonly includeVendor: boolean;
}

export const MAX_SOURCE_BYTES = 4_000_000;
/** Larger text is data: lock files, dumps, fixtures. */
const MAX_TEXT_BYTES = 256_000;
const FIRST_LINE_BYTES = 128;
/** A tree with more files without extension holds data, such as the inputs of a fuzzer. */
const MAX_FIRST_LINES = 2_000;
/** Hidden directories hold the state of tools; people write this one. */
const INDEXED_HIDDEN = new Set([".github"]);
const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)|id_(?:rsa|dsa|ecdsa|ed25519)|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.htpasswd|credentials(?:\.json)?)$/i;
const NOT_TEXT =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|zst|7z|jar|war|class|so|dylib|dll|exe|o|a|wasm|woff2?|ttf|otf|eot|mp[34]|mov|avi|webm|wav|ogg|flac|db|sqlite3?|bin|dat|pyc|map|svg|lock|sum|snap|min\.css)$/i;
/** In a list of results, such a name would look like a line of its own. */
const LINE_BREAK = /[\n\r]/;
/** Files that we write ourselves; the directories that we write are hidden. */
const OWN_NAMES = new Set([".context.yaml"]);
const GENERATED_NAMES = new Set(["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "npm-shrinkwrap.json"]);

/** Lists the files to index below a root, in a fixed order; with `paths` only those of them. */
export async function discoverFiles(
  root: string,
  flags: ScanFlags,
  signal: AbortSignal,
  paths?: readonly string[],
): Promise<DiscoveredFiles> {
  const found: DiscoveredFile[] = [];
  const isExcluded = excludedDirectories(flags);
  let hasSource = false;
  let hasGoMod = false;
  const firstLineOf = openFirstLines(root);
  const { files, repositories } = await surveyProject(root, signal, paths);
  for (const { path, size, ctimeMs } of files.filter((file) => !LINE_BREAK.test(file.path))) {
    const slash = path.lastIndexOf("/");
    if (isExcluded(slash < 0 ? "" : path.slice(0, slash))) continue;
    const name = path.slice(slash + 1);
    if (path === "go.mod") hasGoMod = true;
    const firstLine = size > 0 && !name.includes(".") ? firstLineOf(path) : "";
    const language = languageOf(name, firstLine);
    const isCode = language !== undefined || isSource(name, firstLine);
    if (isCode ? SECRET_NAMES.test(name) : !isPlainText(name, size)) continue;
    hasSource ||= isCode;
    if (!flags.includeTests && isTestFile(path)) continue;
    found.push({ path, size, ctimeMs, language });
  }
  return {
    files: found,
    repositories: repositories.filter((path) => !isExcluded(path)),
    hasSource,
    hasGoMod,
  };
}

/** Reads the first line of scripts that have no extension. */
function openFirstLines(root: string): (path: string) => string {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  let left = MAX_FIRST_LINES;
  return (path) => {
    if (left-- <= 0) return "";
    try {
      const handle = openSync(
        join(root, path),
        constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
      );
      try {
        const length = readSync(handle, bytes, 0, FIRST_LINE_BYTES, 0);
        return bytes.toString("latin1", 0, length).split("\n", 1)[0] ?? "";
      } finally {
        closeSync(handle);
      }
    } catch {
      return "";
    }
  };
}

/** Decides once for each directory: thousands of files are in hundreds of directories. */
function excludedDirectories({ includeVendor }: ScanFlags): (directory: string) => boolean {
  const known = new Map<string, boolean>([["", false]]);
  const isExcluded = (directory: string): boolean => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const slash = directory.lastIndexOf("/");
    const name = directory.slice(slash + 1);
    const excluded =
      (!includeVendor && name === "vendor") ||
      (name.startsWith(".") && !INDEXED_HIDDEN.has(name)) ||
      (slash > 0 && isExcluded(directory.slice(0, slash)));
    known.set(directory, excluded);
    return excluded;
  };
  return isExcluded;
}

function isPlainText(name: string, size: number): boolean {
  if (size === 0 || size > MAX_TEXT_BYTES) return false;
  return !NOT_TEXT.test(name) && !isLeftOut(name);
}

const isLeftOut = (name: string) =>
  OWN_NAMES.has(name) || GENERATED_NAMES.has(name) || SECRET_NAMES.test(name);
