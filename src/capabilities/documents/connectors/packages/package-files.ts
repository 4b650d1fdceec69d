import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { isInside } from "../../../../core/files/allowed-roots.ts";
import { lstatReachable } from "../../../../core/files/opened-path.ts";
import { readTextInside } from "../../../../core/files/read-inside.ts";
import { parseJson } from "../../../../core/json.ts";
import { byCodeUnit } from "../../../../core/order.ts";
import { isNeverRead } from "../path-matcher.ts";
import type { Dependency } from "./dependency.ts";

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** The real directory that its files are in. */
  readonly directory: string;
  /** What it documents, most useful first. */
  readonly files: readonly PackageFile[];
  /** How many more documents and declarations it has. */
  readonly left: number;
}
export interface PackageFile {
  /** Relative to the directory of the package. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

const MOST_ENTRIES = 10_000;
const MOST_FILES = 150;
const MOST_BYTES = 1_500_000;
export const MOST_FILE_BYTES = 400_000;
/** Tests, examples of tools, copies of other packages and declarations for old compilers do not tell how a package is used. */
const NOT_ENTERED =
  /^(?:node_modules|(?:ts|types)\d[\d.]*|\..*|tests?|__tests__|testdata|testing|fixtures?|bench(?:marks?)?|internal|_?vendor|__pycache__|locales?)$/i;
const NOT_READ =
  /(?:^|\/)(?:licen[cs]e|changelog|changes|history|contributing|security|code_of_conduct|authors|notice)(?:\.\w+)?$|(?:_test\.go|(?:^|\/)(?:test_[^/]*|conftest)\.py|\.test-d\.ts|[.-]min\.d\.ts)$/i;
const DECLARATIONS = /\.(?:d\.[cm]?ts|go|pyi?)$/i;
const DOCUMENTS = /\.(?:md|mdx|markdown|rst)$/i;

/** The installed package; a sentence if it is not where the project may read it. */
export async function findInstalled({
  name,
  locked,
  places,
}: Dependency): Promise<InstalledPackage | string> {
  for (const { directory, inside } of places) {
    const real = realPathOf(directory);
    if (real === undefined) continue;
    if (!isInside(realPathOf(inside) ?? inside, real)) return `${name}: links out of the project`;
    // A link to a package of the project itself: its code and documents are found as such.
    if (directory.includes(`${sep}node_modules${sep}`) && !real.includes(`${sep}node_modules${sep}`))
      continue;
    return real.endsWith(".dist-info") ? pythonPackage(real, name) : plainPackage(real, name, await locked());
  }
  return `${name}: not installed`;
}

async function plainPackage(
  directory: string,
  name: string,
  locked: string | undefined,
): Promise<InstalledPackage> {
  const manifest = parseJson((await readTextInside(directory, "package.json")) ?? "");
  const version = shownVersion(textAt(manifest, "version") ?? locked);
  const entry = textAt(manifest, "types") ?? textAt(manifest, "typings");
  return { name, version, directory, ...choose(walk(directory), entry?.replace(/^\.\//, "")) };
}

/** The files of a distribution are beside its description, as RECORD lists them. */
async function pythonPackage(info: string, name: string): Promise<InstalledPackage> {
  const site = dirname(info);
  const folder = basename(info);
  const record = (await readTextInside(site, `${folder}/RECORD`)) ?? "";
  const listed = record.split("\n").map((line) => line.slice(0, Math.max(0, line.indexOf(","))));
  const paths = [`${folder}/METADATA`, ...listed.filter((path) => /\.pyi?$/.test(path) && !isLeftOut(path))];
  const files = paths.slice(0, MOST_ENTRIES).flatMap((path) => fileAt(site, path));
  const version = shownVersion(/-([^-]+)\.dist-info$/.exec(folder)?.[1]);
  return { name, version, directory: site, ...choose(files, `${folder}/METADATA`) };
}

/** It is part of the names of documents: a package must not write lines, paths or pages there. */
export const shownVersion = (version: string | undefined): string =>
  version !== undefined && /^[\w.+~!-]{1,100}$/.test(version) ? version : "unknown";

const isLeftOut = (path: string) =>
  path.startsWith("..") ||
  path.startsWith("/") ||
  path
    .split("/")
    .slice(0, -1)
    .some((part) => NOT_ENTERED.test(part));

/** Regular files only; links are not followed. */
function walk(root: string): PackageFile[] {
  const files: PackageFile[] = [];
  const pending = [""];
  for (let entries = 0; pending.length > 0 && entries < MOST_ENTRIES; ) {
    const directory = pending.shift() ?? "";
    for (const entry of entriesOf(join(root, directory))) {
      entries += 1;
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (isNeverRead(entry.name, entry.isDirectory())) continue;
      if (entry.isDirectory() && !NOT_ENTERED.test(entry.name)) pending.push(path);
      if (entry.isFile()) files.push(...fileAt(root, path));
    }
  }
  return files;
}

function choose(found: readonly PackageFile[], entry: string | undefined) {
  const wanted = found
    .filter(({ path, size }) => rankOf(path, entry) < UNWANTED && size > 0 && size <= MOST_FILE_BYTES)
    .sort((a, b) => rankOf(a.path, entry) - rankOf(b.path, entry) || byCodeUnit(a.path, b.path));
  const files: PackageFile[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let wantedFiles = 0;
  for (const file of wanted) {
    // The same declarations often stand there once for each kind of module: side by side, or in a folder for each.
    const path = file.path.replace(/\.d\.[cm]ts$/, ".d.ts");
    const twins = [path, `${basename(path)} ${file.size}`];
    if (twins.some((twin) => seen.has(twin))) continue;
    for (const twin of twins) seen.add(twin);
    wantedFiles += 1;
    if (files.length >= MOST_FILES || bytes + file.size > MOST_BYTES) continue;
    bytes += file.size;
    files.push(file);
  }
  return { files, left: wantedFiles - files.length };
}

const UNWANTED = 1_000;
/** README, other documents, the entry, then declarations that are not deep. */
function rankOf(path: string, entry: string | undefined): number {
  if (NOT_READ.test(path)) return UNWANTED;
  const depth = path.split("/").length;
  if (path === entry) return 2;
  if (DOCUMENTS.test(path)) return /^readme\./i.test(path) ? 0 : depth < 4 ? 1 : UNWANTED;
  return DECLARATIONS.test(path) ? 2 + depth + (basename(path).startsWith("_") ? 10 : 0) : UNWANTED;
}

/** A name with a line break or an invisible character could forge lines of an answer. */
function fileAt(root: string, path: string): PackageFile[] {
  if (/[\p{Cc}\p{Cf}]/u.test(path)) return [];
  const found = lstatReachable(join(root, path));
  return found?.isFile() ? [{ path, size: found.size, modifiedMs: found.mtimeMs }] : [];
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => byCodeUnit(a.name, b.name));
  } catch {
    return [];
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function textAt(value: unknown, key: string): string | undefined {
  const found =
    typeof value === "object" && value !== null
      ? Object.entries(value).find(([name]) => name === key)?.[1]
      : undefined;
  return typeof found === "string" ? found : undefined;
}
