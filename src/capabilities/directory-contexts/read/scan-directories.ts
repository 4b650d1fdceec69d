import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { filesOfGit } from "../../../core/scan/git-files.ts";
import { type IgnoreRules, parseGitignore } from "../../../core/scan/gitignore.ts";
import { walk } from "../../../core/scan/walk.ts";
import { type DirectoryListing, listDirectory } from "../freshness/fingerprint.ts";
import { IGNORE_FILE } from "../schema.ts";
import { CONTEXT_RULES, testRootOf } from "./context-rules.ts";
import { readBounded } from "./read-context.ts";
import type { Settings } from "./settings.ts";
import { isEntered, isSourceFile } from "./source-files.ts";

export interface ScannedDirectory {
  readonly scope: string;
  /** `undefined` if the directory cannot be read; others are still listed. */
  readonly listing: DirectoryListing | undefined;
  /** Names of its own source files that git does not ignore, sorted. */
  readonly sources: readonly string[];
  readonly tokens: number;
  /** In a directory of tests: how many source files are in the directories below it. */
  readonly filesBelow?: number;
  /** It gets a context, whatever can be said: the root, one that has a context, or one that the user wants. */
  readonly isRequired?: boolean;
}
/** `list_contexts` lists all that are large enough, by its contract; the others only those that need a context. */
export type DirectoryChoice = "described" | "large";
interface DirectoryScan {
  /** Sorted by code unit; always includes the root. */
  readonly directories: readonly ScannedDirectory[];
  /** How many were left out because they are too small or need no context. */
  readonly skipped: number;
}

/** Directories between two turns of the event loop, so that a large scan can be cancelled. */
const BATCH = 256;

/** The directories that should have a context: those with source files that git does not ignore, and their ancestors. */
export async function scanDirectories(
  root: string,
  settings: Settings,
  signal?: AbortSignal,
  which: DirectoryChoice = "described",
): Promise<DirectoryScan> {
  const rules = readIgnoreRules(root, settings);
  const paths = (await filesOfGit(root, signal)) ?? (await walk(root, signal));
  const listingOf = openListings(root);
  const scanned: ScannedDirectory[] = [];
  let looked = 0;
  for (const [scope, names] of groupSources(paths, entryRule(settings, rules))) {
    scanned.push(...scannedOf(scope, names, listingOf(scope)));
    if (++looked % BATCH !== 0) continue;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }
  const present = withAncestors(scanned, ({ sources, listing }) => sources.length > 0 || !listing);
  const kept =
    settings.min_tokens <= 0
      ? present.map((directory) => ({ ...directory, isRequired: true }))
      : chosen(present, { minTokens: settings.min_tokens, rules, which });
  return {
    directories: kept.toSorted((a, b) => byCodeUnit(a.scope, b.scope)),
    skipped: present.length - kept.length,
  };
}

/** Directories that are large enough and to which no rule of `CONTEXT_RULES` applies, and those above them. */
function chosen(
  present: readonly ScannedDirectory[],
  {
    minTokens,
    rules,
    which,
  }: { readonly minTokens: number; readonly rules: IgnoreRules; readonly which: DirectoryChoice },
): ScannedDirectory[] {
  // A context that exists stays in use, and a person's `!DIR` in the ignore file wins.
  const isRequired = ({ scope, listing }: ScannedDirectory) =>
    scope === "." || listing?.context !== undefined || rules(scope, true) === "kept";
  const needsNone = (directory: ScannedDirectory) =>
    which === "described" &&
    directory.listing !== undefined &&
    !isRequired(directory) &&
    CONTEXT_RULES.some(({ applies }) => applies({ scope: directory.scope, files: directory.sources }));
  const large = withAncestors(
    withTestsBelow(present),
    (directory) => directory.tokens >= minTokens && !needsNone(directory),
  );
  return large
    .filter((directory) => !needsNone(directory))
    .map((directory) => ({ ...directory, isRequired: isRequired(directory) }));
}

/** A directory of tests stands for the directories below it. */
function withTestsBelow(present: readonly ScannedDirectory[]): readonly ScannedDirectory[] {
  const below = new Map<string, { files: number; tokens: number }>();
  for (const { scope, sources, tokens } of present) {
    const top = testRootOf(scope);
    if (top === undefined) continue;
    const sum = below.get(top) ?? { files: 0, tokens: 0 };
    below.set(top, { files: sum.files + sources.length, tokens: sum.tokens + tokens });
  }
  return present.map((directory) => {
    const sum = below.get(directory.scope);
    return sum ? { ...directory, tokens: directory.tokens + sum.tokens, filesBelow: sum.files } : directory;
  });
}

export const parentOf = (scope: string): string =>
  scope.includes("/") ? scope.slice(0, scope.lastIndexOf("/")) : ".";

export const depthOf = (scope: string): number => (scope === "." ? 0 : scope.split("/").length);

/** Names of source files by directory, with every ancestor. Deleted files are dropped later. */
function groupSources(
  paths: readonly string[],
  isAllowed: (scope: string) => boolean,
): Map<string, Set<string>> {
  const byScope = new Map<string, Set<string>>([[".", new Set()]]);
  for (const path of paths) {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (!isSourceFile(name)) continue;
    const scope = slash < 0 ? "." : path.slice(0, slash);
    const known = byScope.get(scope);
    if (known) known.add(name);
    else if (isAllowed(scope)) addWithAncestors(byScope, scope).add(name);
  }
  return byScope;
}

function addWithAncestors(byScope: Map<string, Set<string>>, scope: string): Set<string> {
  const names = new Set<string>();
  byScope.set(scope, names);
  for (let above = parentOf(scope); !byScope.has(above); above = parentOf(above))
    byScope.set(above, new Set());
  return names;
}

/** Whether a directory is scanned: depth, names that are never scanned, `.contextignore` and the settings' `ignore`. */
function entryRule(settings: Settings, rules: IgnoreRules): (scope: string) => boolean {
  const verdicts = new Map<string, boolean>([[".", true]]);
  const isAllowed = (scope: string): boolean => {
    const known = verdicts.get(scope);
    if (known !== undefined) return known;
    const verdict =
      isAllowed(parentOf(scope)) &&
      depthOf(scope) <= settings.max_depth &&
      isEntered(scope.slice(scope.lastIndexOf("/") + 1)) &&
      rules(scope, true) !== "ignored";
    verdicts.set(scope, verdict);
    return verdict;
  };
  return isAllowed;
}

const readIgnoreRules = (root: string, settings: Settings): IgnoreRules =>
  parseGitignore([readIgnoreFile(root), ...settings.ignore].join("\n"));

/** A file that exists but cannot be used is an error: otherwise ignored directories would be described. */
function readIgnoreFile(root: string): string {
  const file = readBounded(join(root, IGNORE_FILE));
  if (typeof file === "string") return file;
  if (file.kind === "missing") return "";
  throw new DomainError(
    "invalid_input",
    `Invalid ${IGNORE_FILE}: ${file.reason}. Correct or remove the file; a link is not followed.`,
    { reason: "settings" },
  );
}

type ListingResult = DirectoryListing | "unreadable" | "absent";

/** Lists each directory once. A directory from git's list may be gone or be a link by now; its parent's listing shows that. */
function openListings(root: string): (scope: string) => ListingResult {
  const known = new Map<string, ListingResult>();
  const look = (scope: string): ListingResult => {
    const before = known.get(scope);
    if (before !== undefined) return before;
    const parent = scope === "." ? undefined : look(parentOf(scope));
    const name = scope.slice(scope.lastIndexOf("/") + 1);
    const isThere = parent === undefined || (typeof parent === "object" && parent.directories.has(name));
    const listed = isThere ? (listDirectory(`${root}/${scope}`) ?? "unreadable") : "absent";
    known.set(scope, listed);
    return listed;
  };
  return look;
}

function scannedOf(scope: string, names: ReadonlySet<string>, listed: ListingResult): ScannedDirectory[] {
  if (listed === "absent") return [];
  // An unreadable directory is reported as missing, not left out.
  if (listed === "unreadable") {
    return [{ scope, listing: undefined, sources: [], tokens: Number.POSITIVE_INFINITY }];
  }
  const own = listed.files.filter(({ name }) => names.has(name));
  const bytes = own.reduce((sum, { size }) => sum + size, 0);
  const sources = own.map(({ name }) => name).sort(byCodeUnit);
  return [{ scope, listing: listed, sources, tokens: Math.ceil(bytes / 4) }];
}

/** Directories that qualify, their ancestors, and the root. */
function withAncestors(
  directories: readonly ScannedDirectory[],
  qualifies: (directory: ScannedDirectory) => boolean,
): ScannedDirectory[] {
  const kept = new Set(["."]);
  for (const directory of directories) {
    if (!qualifies(directory)) continue;
    for (let scope = directory.scope; !kept.has(scope); scope = parentOf(scope)) kept.add(scope);
  }
  return directories.filter(({ scope }) => kept.has(scope));
}
